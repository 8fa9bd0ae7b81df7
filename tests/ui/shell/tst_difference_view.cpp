// SPDX-License-Identifier: MIT
// What an apply changes, in the words of the files.
#include "tests/support/fake_target.h"
#include "tests/ui/document/draft_harness.h"
#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/shell/difference_view.h"
#include "ui/theme/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QThreadPool>
#include <QUndoStack>

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace signalbox;
using namespace signalbox::ui;
using namespace signalbox::test;

namespace {

/// A view beside a gateway that runs `running`.
struct ViewBench {
    ViewBench(PolicyDocument* document, const std::shared_ptr<const policy::PolicySnapshot>& running)
        : bridge(target), gateway(&bridge, document) {
        context.bridge = &bridge;
        context.document = document;
        context.view = &range;
        context.gateway = &gateway;
        isUp = target->start({running, {}}).has_value() && QTest::qWaitFor([this] { return bridge.running() != nullptr; }, 10'000);
        view = std::make_unique<DifferenceView>(context);
    }
    [[nodiscard]] QString summary() const { return view->findChild<QLabel*>(QStringLiteral("difference.summary"))->text(); }
    [[nodiscard]] const QLabel* label(const QString& text) const {
        for (const auto* one : view->findChildren<QLabel*>())
            if (one->text() == text) return one;
        return nullptr;
    }

    std::shared_ptr<FakeTarget> target = std::make_shared<FakeTarget>();
    Bridge bridge;
    GatewayControl gateway;
    ViewState range;
    PageContext context;
    std::unique_ptr<DifferenceView> view;
    bool isUp = false;
};

QString wheresOf(const QList<PolicyDifference>& all) {
    QStringList out;
    for (const auto& one : all) out << one.where + QLatin1Char('=') + one.before + QStringLiteral("->") + one.after;
    return out.join(QLatin1Char('|'));
}

}  // namespace

class DifferenceViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        Theme::instance().apply();
        m_world = std::make_unique<DraftHarness>();
        QVERIFY(m_world->open());
        m_running = m_world->document->workspace()->snapshot;
    }

    void whatIsTheSameDiffersInNothing() { QCOMPARE(differences(), QList<PolicyDifference>()); }

    void aValueIsToldByItsPath() {
        QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        QCOMPARE(differences(), (QList<PolicyDifference>{{QStringLiteral("routing.activation_percent"), QStringLiteral("0"), QStringLiteral("5")}}));
    }

    // No part of the policy's hash, and changed by an apply all the same.
    void anAddressIsToldToo() {
        QVERIFY(m_world->document->editConfig(QStringLiteral("port"), replacing("127.0.0.1:38082", "127.0.0.1:38083")));
        QCOMPARE(differences(), (QList<PolicyDifference>{{QStringLiteral("server.listen"), QStringLiteral("127.0.0.1:38082"), QStringLiteral("127.0.0.1:38083")}}));
    }

    void whatCameAsAWholeIsOneDifference() {
        const char* extra = "[providers.extra]\nprotocol = \"simulated\"\nmodels = [\"x\"]\n\n[evidence]";
        QVERIFY(m_world->document->editConfig(QStringLiteral("provider"), replacing("[evidence]", extra)));
        const auto all = differences();
        QVERIFY(all.contains(PolicyDifference{QStringLiteral("providers.extra"), QString(), QStringLiteral("new")}));
        for (const auto& one : all) QVERIFY2(!one.where.startsWith(QStringLiteral("providers.extra.")), qPrintable(one.where));
    }

    void aPresetOfTheTableIsToldByItsKey() {
        QVERIFY(m_world->document->editTable(QStringLiteral("seqs"), replacing("\"max_num_seqs\": 4", "\"max_num_seqs\": 5")));
        const auto all = differences();
        QCOMPARE(all.size(), 1);
        QVERIFY2(all.front().where.startsWith(QStringLiteral("routing-table.json: preset ")), qPrintable(all.front().where));
        QCOMPARE(all.front().after, QStringLiteral("changed"));
    }

    // Null allows everything, an empty list nothing.
    void nothingAndAnEmptyListAreTwoThings() {
        run("[evidence]", "[principals.p]\ntoken_env = \"P\"\n\n[evidence]");
        edit("token_env = \"P\"", "token_env = \"P\"\nallowed_models = []");
        QCOMPARE(wheresOf(differences()), QStringLiteral("principals.p.allowed_models=none->an empty list"));
    }

    // A name may go on with a dot behind what is another one's whole name.
    void aNewNameSwallowsNoLongerOne() {
        const std::string provider = "[providers.openai]\nprotocol = \"simulated\"\nmodels = [\"gpt-4\", \"gpt-4.1\"]\n\n[aliases]";
        run("[aliases]", provider);
        const std::string candidate = "[[routing.groups.auto.candidates]]\nprovider = \"openai\"\nmodel = \"gpt-4.1\"\nquality = 0.5\n\n";
        run("[routing.groups.auto-extract]", candidate + "[routing.groups.auto-extract]");
        edit("quality = 0.5\n", "quality = 0.6\n\n[[routing.groups.auto.candidates]]\nprovider = \"openai\"\nmodel = \"gpt-4\"\nquality = 0.3\n");
        const auto all = differences();
        const QString path = QStringLiteral("routing.groups.auto.candidates.openai:gpt-4");
        QVERIFY2(all.contains(PolicyDifference{path + QStringLiteral(".1.quality"), QStringLiteral("0.5"), QStringLiteral("0.6")}), qPrintable(wheresOf(all)));
        QVERIFY2(all.contains(PolicyDifference{path, QString(), QStringLiteral("new")}), qPrintable(wheresOf(all)));
    }

    void somethingEmptyThatCameIsTold() {
        edit("[evidence]", "[routing.policies.\"v2\"]\n\n[evidence]");
        QCOMPARE(wheresOf(differences()), QStringLiteral("routing.policies.v2=->there, with nothing in it"));
    }

    void longNumbersAreTwoNumbers() {
        run("seed = 26", "seed = 9007199254740992");
        edit("seed = 9007199254740992", "seed = 9007199254740993");
        QCOMPARE(wheresOf(differences()), QStringLiteral("providers.lab_a.simulated.seed=9007199254740992->9007199254740993"));
    }

    // Some services take their key in the path.
    void noPathOfAUrlIsShown() {
        const std::string one = "base_url = \"https://api.example/bot/KEY-ONE/v1\"\nmetrics_url = \"https://api.example/KEY-ONE/metrics\"\n";
        const std::string other = "base_url = \"https://api.example/bot/KEY-TWO/v1\"\nmetrics_url = \"https://api.example/KEY-TWO/metrics\"\n";
        run("[evidence]", "[providers.keyed]\nprotocol = \"openai_compat\"\nmodels = [\"x\"]\n" + one + "\n[evidence]");
        edit(one, other);
        const auto all = differences();
        QCOMPARE(all.size(), 2);
        for (const auto& each : all) {
            QVERIFY2(each.before.startsWith(QStringLiteral("https://api.example/…")) && each.after.startsWith(QStringLiteral("https://api.example/…")), qPrintable(wheresOf(all)));
            QVERIFY(each.before != each.after);
        }
        const QString texts = wheresOf(all);
        QVERIFY2(!texts.contains(QStringLiteral("KEY")) && !texts.contains(QStringLiteral("bot")) && !texts.contains(QStringLiteral("/v1")), qPrintable(texts));
    }

    void theHostOfAProxyIsShown() {
        run("[evidence]", "[providers.far]\nprotocol = \"openai_compat\"\nbase_url = \"https://far.example/v1\"\nproxy = \"http://one.example:3128\"\nmodels = [\"x\"]\n\n[evidence]");
        edit("one.example", "two.example");
        QCOMPARE(wheresOf(differences()), QStringLiteral("providers.far.proxy=http://one.example:3128->http://two.example:3128"));
    }

    // Whatever field it stands in, and should the reader have let it pass.
    void noLoginOfAnAddressIsShown() {
        const auto withProxy = [this](const std::string& url) {
            auto out = std::make_shared<policy::PolicySnapshot>(*m_running);
            auto json = nlohmann::json::parse(out->canonicalJson);
            json["providers"][0]["proxy"] = url;
            json["providers"][0]["address_to_come"] = url;
            out->canonicalJson = json.dump();
            return out;
        };
        const auto one = withProxy("http://ada:planted-1@proxy.example:3128"), other = withProxy("http://ada:pla/nted-2@proxy.example:3128");
        const auto all = policyDifferences(*one, *other);
        QCOMPARE(all.size(), 2);
        const QString texts = wheresOf(all);
        QVERIFY2(!texts.contains(QStringLiteral("ada")) && !texts.contains(QStringLiteral("pla")) && !texts.contains(QStringLiteral("nted")), qPrintable(texts));
        QVERIFY2(all[0].before.startsWith(QStringLiteral("http://proxy.example:3128/…")) && all[0].before != all[0].after, qPrintable(texts));
        // With the @ as its code, and with a "://" that is not the scheme's.
        const QString odd = wheresOf(policyDifferences(*withProxy("http://ada:planted%40proxy.example"), *withProxy("ada:planted@proxy.example?next=http://x")));
        QVERIFY2(!odd.contains(QStringLiteral("ada")) && !odd.contains(QStringLiteral("planted")), qPrintable(odd));
        QVERIFY2(odd.contains(QStringLiteral("=http://proxy.example/…")) && odd.contains(QStringLiteral("->proxy.example/…")), qPrintable(odd));
    }

    void theVersionThatATableIsPinnedToIsTold() {
        QVERIFY(m_world->document->editTable(QStringLiteral("pin"), replacing("0.11.2+harrow.3", "0.12.0")));
        QCOMPARE(wheresOf(differences()), QStringLiteral("routing-table.json: vllm_pin=0.11.2+harrow.3->0.12.0"));
    }

    void theOrderOfPresetsIsTold() {
        const auto other = withTable([](table::RoutingTable& table) { std::swap(table.presets[0], table.presets[1]); });
        QCOMPARE(wheresOf(policyDifferences(*m_running, *other)), QStringLiteral("routing-table.json: presets=5->5, in another order"));
        const auto fewer = withTable([](table::RoutingTable& table) { table.presets.erase(table.presets.begin()); });
        QCOMPARE(policyDifferences(*m_running, *fewer).size(), 1);  // what stays is in the same order
    }

    void aRuleTwiceIsNoOtherOrder() {
        const auto two = withTable([](table::RoutingTable& table) { table.rules.resize(2); });
        const auto same = withTable([](table::RoutingTable& table) { table.rules = {table.rules[0], table.rules[0]}; });
        const auto turned = withTable([](table::RoutingTable& table) { table.rules = {table.rules[1], table.rules[0]}; });
        QCOMPARE(wheresOf(policyDifferences(*two, *same)), QStringLiteral("routing-table.json: rules=2->2, of them new or changed: 1"));
        QCOMPARE(wheresOf(policyDifferences(*two, *turned)), QStringLiteral("routing-table.json: rules=2->2, in another order"));
    }

    // Every row against every other one would keep the window waiting.
    void aTableOfManyRowsIsComparedAtOnce() {
        const auto many = [](table::RoutingTable& table) {
            for (int i = 0; i < 20'000; ++i) {
                table.rules.push_back(table.rules.front());
                table.rules.back().evidence = "run " + std::to_string(i);
                table.presets.push_back(table.presets.front());
                table.presets.back().presetKey = "preset-" + std::to_string(i);
            }
        };
        const auto before = withTable(many);
        const auto after = withTable([&many](table::RoutingTable& table) {
            many(table);
            std::reverse(table.rules.begin(), table.rules.end());
            std::reverse(table.presets.begin(), table.presets.end());
        });
        const auto all = policyDifferences(*before, *after);
        QCOMPARE(all.size(), 2);
        for (const auto& one : all) QVERIFY2(one.after.endsWith(QStringLiteral(", in another order")), qPrintable(one.after));
    }

    void theViewFollowsTheDraftAndOffersToApply() {
        const ViewBench bench(m_world->document.get(), m_running);
        QVERIFY(bench.isUp);
        DifferenceView& view = *bench.view;
        view.show();
        const auto* summary = view.findChild<QLabel*>(QStringLiteral("difference.summary"));
        QVERIFY2(summary->text().startsWith(QStringLiteral("Nothing differs: local answers with what is open")), qPrintable(summary->text()));
        QVERIFY(m_world->document->editConfig(QStringLiteral("share"), replacing("activation_percent = 0", "activation_percent = 5")));
        QCOMPARE(summary->text(), QStringLiteral("An apply changes 1 thing(s) of what local runs."));
        QStringList texts;
        for (const auto* label : view.findChildren<QLabel*>()) texts << label->text();
        QVERIFY2(texts.contains(QStringLiteral("routing.activation_percent")) && texts.contains(QStringLiteral("0 → 5")), qPrintable(texts.join(QLatin1Char('|'))));
        QVERIFY(view.findChild<QPushButton*>()->isEnabled());
        QCOMPARE(view.findChild<QPushButton*>()->text(), QStringLiteral("Apply"));
    }

    void whileHiddenNothingIsCompared() {
        const ViewBench bench(m_world->document.get(), m_running);
        QVERIFY(bench.isUp);
        QCOMPARE(bench.summary(), QString());
        bench.view->show();
        QVERIFY(bench.summary().startsWith(QStringLiteral("Nothing differs")));
        bench.view->hide();
        edit("activation_percent = 0", "activation_percent = 5");
        QVERIFY(bench.summary().startsWith(QStringLiteral("Nothing differs")));
        bench.view->show();
        QCOMPARE(bench.summary(), QStringLiteral("An apply changes 1 thing(s) of what local runs."));
    }

    // Another step of the draft with the same policy, as a comment is.
    void rowsStayWhileThePolicyDoes() {
        const ViewBench bench(m_world->document.get(), m_running);
        QVERIFY(bench.isUp);
        bench.view->show();
        edit("activation_percent = 0", "activation_percent = 5");
        const QPointer<QLabel> row(const_cast<QLabel*>(bench.label(QStringLiteral("0 → 5"))));
        QVERIFY(row);
        edit("[aliases]", "# words\n[aliases]");
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(row);
        edit("127.0.0.1:38082", "127.0.0.1:38083");  // the same hash, and another address
        QCOMPARE(bench.summary(), QStringLiteral("An apply changes 2 thing(s) of what local runs."));
    }

    void aLongValueStandsWholeOnHover() {
        const ViewBench bench(m_world->document.get(), m_running);
        QVERIFY(bench.isUp);
        bench.view->show();
        const std::string name(300, 'x');
        edit("fast = \"deepseek:deepseek-v4-flash\"", "fast = \"deepseek:deepseek-" + name + "\"");
        QVERIFY2(bench.summary().startsWith(QStringLiteral("An apply changes 1 thing")), qPrintable(bench.summary()));
        const QLabel* path = bench.label(QStringLiteral("aliases.fast"));
        QVERIFY(path);
        QCOMPARE(path->toolTip(), QString());
        const auto labels = bench.view->findChildren<QLabel*>();
        const auto isValue = [](const QLabel* one) { return one->text().startsWith(QStringLiteral("deepseek:deepseek-v4-flash → ")); };
        const auto value = std::find_if(labels.begin(), labels.end(), isValue);
        QVERIFY(value != labels.end());
        QVERIFY((*value)->text().size() < 100);
        QVERIFY((*value)->toolTip().contains(QString::fromStdString(name)));
    }

    // A comparison that is felt is made elsewhere, and what it finds after the draft went on is dropped.
    void aLargeTableIsComparedOnAWorker() {
        const ViewBench bench(m_world->document.get(), m_running);
        QVERIFY(bench.isUp);
        bench.view->show();
        const std::string rule = "{\"model_family\": \"gemma4_moe_26b\", \"when\": {}, \"preset_key\": \"g26-default\", \"evidence\": \"e\", \"evidence_tag\": null},";
        std::string many = "\"routing_rules\": [";
        for (int i = 0; i < 2100; ++i) many += rule;
        QVERIFY(m_world->document->editTable(QStringLiteral("rules"), replacing("\"routing_rules\": [", many)));
        QCOMPARE(bench.summary(), QStringLiteral("Comparing…"));
        QTRY_COMPARE(bench.summary(), QStringLiteral("An apply changes 1 thing(s) of what local runs."));
        m_world->document->undoStack()->undo();
        QTRY_VERIFY(bench.summary().startsWith(QStringLiteral("Nothing differs")));
        m_world->document->undoStack()->redo();
        QTRY_COMPARE(bench.summary(), QStringLiteral("Comparing…"));
        m_world->document->undoStack()->undo();
        QVERIFY(bench.summary().startsWith(QStringLiteral("Nothing differs")));
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QVERIFY2(bench.summary().startsWith(QStringLiteral("Nothing differs")), qPrintable(bench.summary()));
    }

    void anotherHashOfTheSameIsSaidPlainly() {
        auto odd = std::make_shared<policy::PolicySnapshot>(*m_running);
        odd->hash = "beefbeefbeefbeef";
        const ViewBench bench(m_world->document.get(), odd);
        QVERIFY(bench.isUp);
        bench.view->show();
        QVERIFY2(bench.summary().contains(QStringLiteral("nothing that is compared here differs")), qPrintable(bench.summary()));
    }

    // Of a gateway elsewhere only the hash is known.
    void withoutTheOtherPolicyItSaysWhatIsKnown() {
        const auto target = std::make_shared<FakeTarget>();
        Bridge bridge(target);
        GatewayControl gateway(&bridge, m_world->document.get());
        PageContext context;
        context.bridge = &bridge;
        context.document = m_world->document.get();
        context.gateway = &gateway;
        target->tellHashOnly();
        engine::TargetStatus status = target->status();
        status.state = engine::GatewayState::running;
        status.remote = true;
        status.runningHash = "beef";
        target->setStatus(status);
        QTRY_COMPARE(bridge.runningHash(), std::string("beef"));
        DifferenceView view(context);
        view.show();
        const QString summary = view.findChild<QLabel*>(QStringLiteral("difference.summary"))->text();
        QVERIFY2(summary.contains(QStringLiteral("no more of it than that hash")), qPrintable(summary));
    }

private:
    void edit(const std::string& from, const std::string& to) {
        QVERIFY2(m_world->document->editConfig(QStringLiteral("text"), replacing(from, to)), m_world->errors.empty() ? "" : m_world->errors.back().message.c_str());
    }
    /// The same edit, of what runs, too.
    void run(const std::string& from, const std::string& to) {
        edit(from, to);
        m_running = m_world->document->workspace()->snapshot;
    }
    /// What runs with another table.
    [[nodiscard]] std::shared_ptr<const policy::PolicySnapshot> withTable(const std::function<void(table::RoutingTable&)>& change) const {
        auto table = std::make_shared<table::RoutingTable>(*m_running->table);
        change(*table);
        static int count = 0;
        return policy::makeSnapshot(table, "table " + std::to_string(++count), m_running->config);
    }
    [[nodiscard]] QList<PolicyDifference> differences() const { return policyDifferences(*m_running, *m_world->document->workspace()->snapshot); }
    std::unique_ptr<DraftHarness> m_world;
    std::shared_ptr<const policy::PolicySnapshot> m_running;
};

QTEST_MAIN(DifferenceViewTest)
#include "tst_difference_view.moc"
