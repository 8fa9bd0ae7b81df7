// SPDX-License-Identifier: MIT
// Pictures of the groups page in the states that the walk over all pages does not reach: priors that are off, an edit
// that was refused, an own policy version, a narrow window, and no group at all.
#include "tests/ui/pages/groups/group_samples.h"
#include "tests/visual/page_pictures.h"
#include "ui/document/config_edits.h"
#include "ui/pages/groups/candidate_form.h"
#include "ui/theme/format.h"
#include "ui/theme/theme.h"

#include <QLineEdit>
#include <QTest>
#include <QUndoStack>

using namespace signalbox;
using namespace signalbox::ui;

class GroupsPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    GroupsPicturesTest() : PagePictures(QStringLiteral("groups")) {}

protected:
    void prepare() override {
        console().target->setHistory(decisions());
        console().target->setEndpoints({healthy("lab_b:qwen3.5-9b", 3'740, 412), cooling("deepseek:deepseek-v4-flash"), healthy("lab_a:gemma-4-26b", 870, 64)});
        QVERIFY(edits::setMode(*console().document, config::RoutingMode::shadow).has_value());
    }

private Q_SLOTS:
    void states() {
        begin();
        window().go(QStringLiteral("groups"), {{QStringLiteral("group"), QStringLiteral("auto")}, {QStringLiteral("candidate"), QStringLiteral("lab_b:qwen3.5-9b")}});
        console().settle();
        save(QStringLiteral("priors"));

        auto* model = window().findChild<CandidateForm*>()->findChild<QLineEdit*>();
        model->setText(QStringLiteral("qwen3.5-9"));
        QTest::keyClick(model, Qt::Key_Return);
        auto* alias = window().findChild<QLineEdit*>(QStringLiteral("alias"));
        alias->setFocus();
        QTest::keyClicks(alias, QStringLiteral("auto-extract"));
        console().settle();
        save(QStringLiteral("refused"));
        QTest::keyClick(alias, Qt::Key_Escape);
        QTest::keyClick(model, Qt::Key_Escape);

        auto* document = console().document.get();
        const int before = document->changeCount();
        QVERIFY(edits::makeOwnPolicy(*document, "harrow-v2", policy::smart::builtinWeights()).has_value());
        QVERIFY(edits::setWeights(*document, "harrow-v2", policy::smart::Profile::balanced, {2, 1, 5, 1}).has_value());
        QVERIFY(edits::setLatencyHint(*document, "auto", 0, 3900).has_value());
        QVERIFY(edits::setQuality(*document, "auto", 0, 0.95).has_value());
        console().settle();
        save(QStringLiteral("own"));
        window().resize(1100, 720);
        console().settle();
        save(QStringLiteral("narrow"));
        window().resize(1440, 900);
        while (document->changeCount() > before) document->undoStack()->undo();

        QVERIFY(edits::setMode(*document, config::RoutingMode::off).has_value());
        for (const char* group : {"auto", "auto-extract"}) QVERIFY(edits::removeGroup(*document, group).has_value());
        console().settle();
        save(QStringLiteral("empty"));
        for (int i = 0; i < 3; ++i) document->undoStack()->undo();
    }

private:
    static engine::EndpointHealth healthy(const char* endpoint, double average, std::uint64_t calls) {
        engine::EndpointHealth health;
        health.endpointId = endpoint;
        health.signals.attempts = health.signals.providerAttempts = calls;
        health.signals.providerSuccesses = calls - calls / 20;
        health.signals.latencyEwmaMs = average;
        return health;
    }
    static engine::EndpointHealth cooling(const char* endpoint) {
        engine::EndpointHealth health = healthy(endpoint, 1'620, 388);
        health.circuit = "open";
        health.cause = "status_429";
        health.coolsFor = std::chrono::seconds(24);
        health.openedTotal = 3;
        return health;
    }
    static test::FakeHistory::Records decisions() {
        auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
        FastRandom random(7);
        for (std::uint64_t i = 0; i < 640; ++i) {
            evidence::DecisionRecord record = test::groupDecision(i);
            record.createdAt = format::now() - std::chrono::seconds(90 * (640 - i));
            auto& group = *record.group;
            const double slow = 2'900 + 2'000 * random.unit(), fast = 1'300 + 700 * random.unit();
            group.candidates[0] = {.endpointId = "lab_b:qwen3.5-9b", .cut = {}, .quality = 0.72, .latencyMs = slow, .costUsd = 0.003, .reliability = 0.92, .affinity = 0.012 * random.unit(), .score = 0.5};
            group.candidates[1] = {.endpointId = "deepseek:deepseek-v4-flash", .cut = {}, .quality = 0.88, .latencyMs = fast, .costUsd = 0.0005, .reliability = 0.97, .affinity = 0.02 * random.unit(), .score = 0.9};
            group.selected = "lab_b:qwen3.5-9b";
            group.recommended = "deepseek:deepseek-v4-flash";
            const bool cloud = i % 5 == 0;
            record.endpointId = cloud ? group.recommended : group.selected;
            if (i % 3 == 0) {
                record.toolsCalled = 2;
                record.toolsUnchecked = i % 8 == 0 ? 1 : 0;
                record.toolsFitSchema = 2 - record.toolsUnchecked - (!cloud && i % 7 == 0 ? 1 : 0);
            }
            record.attempts = {{.endpointId = cloud ? group.recommended : group.selected, .outcome = i % 40 == 1 ? evidence::AttemptOutcome::failed : evidence::AttemptOutcome::served,
                                .status = i % 40 == 1 ? 429 : 200, .startedMs = 0, .endedMs = cloud ? fast : slow}};
            record.totalMs = record.attempts[0].endedMs;
            records->push_back(record);
        }
        return records;
    }
};

QTEST_MAIN(GroupsPicturesTest)
#include "tst_groups_pictures.moc"
