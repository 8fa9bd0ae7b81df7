// SPDX-License-Identifier: MIT
#include "router/base/random.h"
#include "router/config/edit.h"
#include "router/table/edit.h"
#include "tests/ui/document/draft_harness.h"

#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

static constexpr int kSequences = 100, kSteps = 16;

namespace {

/// Edits as the pages make them, drawn at random. Some are refused, as an operator's are.
class RandomEditor {
public:
    RandomEditor(PolicyDocument& document, FastRandom& random) : m_document(document), m_random(random) {}

    void step() {
        switch (below(13)) {
        case 0: return config(QStringLiteral("percent"), [v = std::int64_t(below(101))](auto t) { return config::setValue(t, {"routing", "activation_percent"}, v); });
        case 1: return config(QStringLiteral("quality"), [i = candidate(), v = static_cast<double>(below(100)) / 100](auto t) { return config::setValue(t, candidatePath(i, "quality"), v); });
        case 2: return config(QStringLiteral("hint"), [i = candidate(), v = std::int64_t(below(9'000) + 1)](auto t) { return config::setValue(t, candidatePath(i, "latency_hint_ms"), v); });
        case 3: return config(QStringLiteral("no quality"), [i = candidate()](auto t) { return config::removeValue(t, candidatePath(i, "quality")); });
        case 4: return config(QStringLiteral("order"), [a = candidate(), b = candidate()](auto t) { return config::moveElement(t, candidates(), a, b); });
        case 5: return config(QStringLiteral("fewer"), [a = candidate()](auto t) { return config::removeElement(t, candidates(), a); });
        case 6: return config(QStringLiteral("more"), [a = candidate()](auto t) {
            return config::insertElement(t, candidates(), a, {{"provider", std::string("deepseek")}, {"model", std::string("deepseek-") + std::to_string(a)}});
        });
        case 7: return config(QStringLiteral("provider"), [n = below(50)](auto t) {
            return config::addTable(t, {"providers", "p" + std::to_string(n)}, {{"protocol", std::string("simulated")}, {"models", std::vector<std::string>{"m" + std::to_string(n)}}});
        });
        case 8: return tableEdit(QStringLiteral("seqs"), [this, i = below(presets())](auto t) {
            table::Preset preset = m_document.table()->presets[i];
            preset.maxNumSeqs = static_cast<std::int64_t>(below(16)) + 1;
            return table::changePreset(t, i, preset);
        });
        case 9: return tableEdit(QStringLiteral("rule order"), [a = below(rules()), b = below(rules())](auto t) { return table::moveRule(t, a, b); });
        case 10: return tableEdit(QStringLiteral("rule"), [a = below(rules() + 1), rule = someRule()](auto t) { return table::addRule(t, a, rule); });
        case 11: return tableEdit(QStringLiteral("no rule"), [a = below(rules())](auto t) { return table::removeRule(t, a); });
        default: return rename();
        }
    }
    [[nodiscard]] int refused() const { return m_refused; }
    [[nodiscard]] std::size_t below(std::size_t n) { return n == 0 ? 0 : m_random.next() % n; }

private:
    static config::Path candidates() { return {"routing", "groups", "auto", "candidates"}; }
    static config::Path candidatePath(std::size_t index, const char* key) {
        config::Path path = candidates();
        path.emplace_back(index);
        path.emplace_back(std::string(key));
        return path;
    }
    std::size_t candidate() { return below(m_document.workspace()->writtenConfig->routing.groups.front().candidates.size()); }
    std::size_t presets() const { return m_document.table()->presets.size(); }
    std::size_t rules() const { return m_document.table()->rules.size(); }
    table::RoutingRule someRule() {
        const auto table = m_document.table();
        if (!table->rules.empty()) return table->rules[below(rules())];
        table::RoutingRule rule;
        rule.modelFamily = table->presets.front().modelFamily;
        rule.presetKey = table->presets.front().presetKey;
        rule.evidence = "drawn at random";
        return rule;
    }
    void config(const QString& label, const PolicyDocument::TextEdit& edit) { count(m_document.editConfig(label, edit)); }
    void tableEdit(const QString& label, const PolicyDocument::TextEdit& edit) { count(m_document.editTable(label, edit)); }
    void rename() {
        const std::string from = m_document.table()->presets[below(presets())].presetKey, to = "renamed-" + std::to_string(below(1'000));
        const auto config = [from, to](auto t) { return config::renameTable(t, {"presets", from}, to); };
        count(m_document.editBoth(QStringLiteral("name"), [from, to](auto t) { return table::renamePreset(t, from, to); }, config));
    }
    void count(const Result<void>& done) { m_refused += done ? 0 : 1; }

    PolicyDocument& m_document;
    FastRandom& m_random;
    int m_refused = 0;
};

}  // namespace

class RandomEditsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // 100 sequences: at every step of the way back and forth the texts are those that were there, byte for byte.
    void F80_undoAndRedoAreExactToTheByte() {
        int made = 0, refused = 0;
        for (int sequence = 0; sequence < kSequences; ++sequence) {
            FastRandom random(static_cast<std::uint64_t>(sequence) + 1);
            DraftHarness world;
            QVERIFY(world.open());
            PolicyDocument& document = *world.document;
            QUndoStack& stack = *document.undoStack();
            RandomEditor editor(document, random);
            std::vector<DraftTexts> states{textsOf(document)};
            for (int step = 0; step < kSteps; ++step) {
                const int before = stack.index();
                if (editor.below(5) == 0) editor.below(2) == 0 ? stack.undo() : stack.redo();
                else {
                    editor.step();
                    if (stack.index() == before + 1) {
                        states.resize(static_cast<std::size_t>(before) + 1);
                        states.push_back(textsOf(document));
                    }
                }
                QVERIFY(textsOf(document) == states[static_cast<std::size_t>(stack.index())]);
                QCOMPARE(document.workspace()->config.text, document.configText());
                QCOMPARE(document.workspace()->table.document->text(), document.tableText());
            }
            made += stack.count();
            refused += editor.refused();
            for (; stack.canUndo(); stack.undo()) QVERIFY(textsOf(document) == states[static_cast<std::size_t>(stack.index())]);
            QVERIFY(!document.isDirty());
            QCOMPARE(document.configText(), world.get("gateway.toml").toStdString());
            QCOMPARE(document.tableText(), world.get("routing-table.json").toStdString());
            for (; stack.canRedo(); stack.redo()) QVERIFY(textsOf(document) == states[static_cast<std::size_t>(stack.index())]);
            QVERIFY(textsOf(document) == states.back());
        }
        qInfo("%d steps in %d sequences, %d edits refused", made, kSequences, refused);
        QVERIFY2(made > kSequences * kSteps / 4, "most edits were refused: the sequences prove little");
    }

    // Comments, order and spelling of everything that was not touched.
    void F80_savedFilesDifferOnlyInWhatWasTouched() {
        DraftHarness world;
        QVERIFY(world.open());
        PolicyDocument& document = *world.document;
        QByteArray wanted = world.get("gateway.toml");
        const QByteArray table = world.get("routing-table.json");
        QVERIFY(document.editConfig(QStringLiteral("percent"), [](auto t) { return config::setValue(t, {"routing", "activation_percent"}, std::int64_t{25}); }));
        QVERIFY(document.editConfig(QStringLiteral("limit"), [](auto t) { return config::setValue(t, {"server", "max_concurrent_requests"}, std::int64_t{32}); }));
        QVERIFY(world.save());
        wanted.replace("activation_percent = 0", "activation_percent = 25").replace("max_concurrent_requests = 64 ", "max_concurrent_requests = 32 ");
        QCOMPARE(world.get("gateway.toml"), wanted);
        QCOMPARE(world.get("routing-table.json"), table);
    }

private:
    static DraftTexts textsOf(const PolicyDocument& document) { return {document.tableText(), document.configText()}; }
};

QTEST_GUILESS_MAIN(RandomEditsTest)
#include "tst_random_edits.moc"
