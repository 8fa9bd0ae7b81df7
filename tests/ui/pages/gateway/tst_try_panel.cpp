// SPDX-License-Identifier: MIT
// The try-it pane over a real gateway with the simulated provider: text as it comes, what was decided, cancelling, and
// refusals in the edge's words. The token is nowhere to be seen.
#include "router/base/file.h"
#include "ui/bridge/bridge.h"
#include "ui/document/policy_document.h"
#include "ui/pages/gateway/try_panel.h"
#include "ui/pages/gateway/try_words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/tone_text.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class TryPanelTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<engine::Target> m_gateway;
    std::unique_ptr<Bridge> m_bridge;
    std::unique_ptr<PolicyDocument> m_document;
    std::unique_ptr<TryPanel> m_panel;
    QStringList m_said;

    void start(const std::string& simulated) {
        const auto file = std::filesystem::path(m_folder->path().toStdString()) / "gateway.toml";
        QVERIFY(writeFileAtomic(file, "[server]\nlisten = \"127.0.0.1:0\"\n[providers.sim]\nprotocol = \"simulated\"\nmodels = [\"m\"]\n[providers.sim.simulated]\n" + simulated).has_value());
        const auto loaded = policy::loadWorkspace({}, file, config::processEnvironment(), SystemClock().now());
        QVERIFY(loaded.has_value() && loaded->snapshot != nullptr);
        engine::EmbeddedOptions options;
        options.evidenceEnabled = false;
        options.stateFolder = file.parent_path() / "state";
        m_gateway = engine::makeEmbeddedTarget(std::move(options)).value();
        m_bridge = std::make_unique<Bridge>(m_gateway);
        m_document = std::make_unique<PolicyDocument>();
        PageContext context;
        context.bridge = m_bridge.get();
        context.document = m_document.get();
        context.say = [this](const QString& text) { m_said << text; };
        m_panel = std::make_unique<TryPanel>(context);
        m_panel->show();
        QVERIFY(!find<QPushButton>("trySend")->isEnabled());  // nothing runs yet
        const auto started = m_gateway->start({loaded->snapshot, {}});
        QVERIFY2(started.has_value(), started ? "" : started.error().text().c_str());
        QTRY_VERIFY(find<QPushButton>("trySend")->isEnabled());
    }
    template <class W>
    [[nodiscard]] W* find(const char* name) const { return m_panel->findChild<W*>(QLatin1String(name)); }
    [[nodiscard]] QString answer() const { return find<QPlainTextEdit>("tryAnswer")->toPlainText(); }
    [[nodiscard]] ToneText* state() const { return find<ToneText>("tryState"); }

private Q_SLOTS:
    void initTestCase() { Theme::instance().apply(); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() {
        m_panel.reset();
        m_document.reset();
        m_bridge.reset();
        m_gateway.reset();
        m_said.clear();
    }

    void theAnswerStreamsIn() {
        start("first_token_ms = 1\noutput_tokens = 30\ntokens_per_second = 50.0\n");
        QCOMPARE(find<QComboBox>("tryModel")->findText(QStringLiteral("sim:m")) >= 0 || find<QComboBox>("tryModel")->findText(QStringLiteral("m")) >= 0, true);
        find<QComboBox>("tryModel")->setEditText(QStringLiteral("m"));
        find<QPlainTextEdit>("tryPrompt")->setPlainText(QStringLiteral("Tell me of bridges"));
        QSignalSpy receipts(m_panel.get(), &TryPanel::receiptWanted);
        QTest::keyClick(find<QPlainTextEdit>("tryPrompt"), Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(m_panel->isRunning());
        QTRY_VERIFY(!answer().isEmpty());
        QVERIFY(m_panel->isRunning());  // it is still coming
        QTRY_VERIFY_WITH_TIMEOUT(!m_panel->isRunning(), 20'000);
        QVERIFY(state()->tone() == Tone::clear);
        QVERIFY2(state()->text().contains(QStringLiteral("first token after")) && state()->text().contains(QStringLiteral("30 out")), qPrintable(state()->text()));
        QVERIFY(find<ToneText>("tryDecision")->text().startsWith(QStringLiteral("sim:m")));
        QCOMPARE(m_said.last(), state()->text());
        find<QPushButton>("tryReceipt")->click();
        QCOMPARE(receipts.count(), 1);
        QVERIFY(receipts.first().first().toString().startsWith(QStringLiteral("rtd_")));
    }

    void cancelBreaksOffDownToTheSocket() {
        start("first_token_ms = 1\noutput_tokens = 100000\ntokens_per_second = 50.0\n");
        find<QComboBox>("tryModel")->setEditText(QStringLiteral("m"));
        find<QSpinBox>("tryCap")->setValue(0);
        QVERIFY(!find<QPushButton>("tryCancel")->isVisible());
        find<QPushButton>("trySend")->click();
        QTRY_VERIFY(!answer().isEmpty());
        find<QPushButton>("tryCancel")->click();
        QTRY_VERIFY(!m_panel->isRunning());
        QVERIFY(state()->text().startsWith(QStringLiteral("Called off")));
        QTRY_COMPARE(m_gateway->status().inFlight, std::uint32_t{0});
        QVERIFY(find<QPushButton>("trySend")->isEnabled());
    }

    void leavingBreaksItOff() {
        start("first_token_ms = 1\noutput_tokens = 100000\ntokens_per_second = 50.0\n");
        find<QComboBox>("tryModel")->setEditText(QStringLiteral("m"));
        find<QPushButton>("trySend")->click();
        QTRY_VERIFY(!answer().isEmpty());
        m_panel.reset();
        QTRY_COMPARE(m_gateway->status().inFlight, std::uint32_t{0});
    }

    void lookingAtAnotherGatewayStartsOver() {
        start("first_token_ms = 1\noutput_tokens = 100000\ntokens_per_second = 50.0\n");
        find<QComboBox>("tryModel")->setEditText(QStringLiteral("m"));
        find<QPushButton>("trySend")->click();
        QTRY_VERIFY(!answer().isEmpty());
        engine::EmbeddedOptions options;
        options.evidenceEnabled = false;
        options.stateFolder = std::filesystem::path(m_folder->path().toStdString()) / "another";
        m_bridge->lookAt(engine::makeEmbeddedTarget(std::move(options)).value());
        QVERIFY(!m_panel->isRunning());
        QCOMPARE(answer(), QString());
        QVERIFY(!find<ToneText>("tryDecision")->isVisible() && !find<QPushButton>("tryCancel")->isVisible());
        QVERIFY(m_said.last().contains(QStringLiteral("broken off")));
        QTRY_COMPARE(m_gateway->status().inFlight, std::uint32_t{0});
        m_bridge->lookAt(nullptr);
        QTRY_VERIFY(find<QPushButton>("trySend")->isEnabled());
    }

    void refusalsComeInTheEdgesWords() {
        start("first_token_ms = 1\n");
        find<QComboBox>("tryModel")->setEditText(QStringLiteral("nobody"));
        find<QPushButton>("trySend")->click();
        QTRY_VERIFY(!m_panel->isRunning());
        QVERIFY(state()->tone() == Tone::danger);
        QVERIFY2(state()->text().startsWith(QStringLiteral("HTTP 404, model_not_found:")), qPrintable(state()->text()));
        find<QComboBox>("tryModel")->setEditText(QStringLiteral("m"));
        find<QLineEdit>("tryPin")->setText(QStringLiteral("sim:other"));
        find<QPushButton>("trySend")->click();
        QTRY_VERIFY(!m_panel->isRunning());
        QVERIFY2(state()->text().startsWith(QStringLiteral("HTTP 4")), qPrintable(state()->text()));
        for (const QWidget* widget : m_panel->findChildren<QWidget*>())
            for (const QString& text : {widget->toolTip(), widget->accessibleName(), widget->accessibleDescription()}) QVERIFY(!text.contains(m_bridge->clientToken()));
        QVERIFY(!state()->text().contains(m_bridge->clientToken()));
    }

    void wordsOfOutcomes() {
        engine::TryEnd end;
        end.totalMs = 1200;
        QCOMPARE(tryOutcome(end, 200).text, QStringLiteral("Answered in 1.20 s."));
        end.firstTextMs = 200;
        end.inputTokens = 12;
        end.outputTokens = 20;
        QCOMPARE(tryOutcome(end, 200).text, QStringLiteral("Answered in 1.20 s: first token after 200 ms, 12 tokens in, 20 out, 20.0 tokens/s."));
        end.firstTextMs = 1199.9998;  // a stream that came in one piece
        QCOMPARE(tryOutcome(end, 200).text, QStringLiteral("Answered in 1.20 s: first token after 1.20 s, 12 tokens in, 20 out."));
        engine::TryHead head;
        QVERIFY(tryDecision(head).tone == Tone::idle);
        head.route = "a:b";
        head.coverage = "gap";
        head.lastResort = true;
        QVERIFY(tryDecision(head).tone == Tone::caution);
    }
};

QTEST_MAIN(TryPanelTest)
#include "tst_try_panel.moc"
