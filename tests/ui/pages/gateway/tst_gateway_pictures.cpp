// SPDX-License-Identifier: MIT
// Pictures of the gateway page's try-it pane: before, while the answer comes, answered, and refused.
#include "tests/support/scripted_upstream.h"
#include "tests/visual/page_pictures.h"
#include "ui/pages/gateway/connect_panel.h"
#include "ui/pages/gateway/try_panel.h"
#include "ui/models/live_decisions_model.h"
#include "ui/widgets/copy_field.h"
#include "ui/widgets/table_view.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;

class GatewayPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    GatewayPicturesTest() : PagePictures(QStringLiteral("gateway")) {}

private Q_SLOTS:
    void states() {
        begin();
        test::ScriptedUpstream gateway;
        auto status = console().target->status();
        status.baseUrl = gateway.baseUrl();
        console().target->setStatus(status);
        look({{QStringLiteral("try"), QStringLiteral("auto")}});
        save(QStringLiteral("try"));

        const std::string decision = "x-signalbox-decision-id: rtd_" + std::string(32, '1') + "\r\nx-signalbox-route: deepseek:deepseek-v4-flash\r\nx-signalbox-coverage: none\r\n";
        test::Reply reply = test::Reply::stream(decision);
        for (const char* word : {"A signal box ", "is the building from which one person ", "sets the route of every train, ", "behind an interlocking that refuses unsafe combinations."})
            reply.event(std::string("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"") + word + "\"}}]}");
        reply.awaitRelease();
        reply.event("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":14,\"completion_tokens\":27}}").event("[DONE]").end();
        gateway.enqueue(reply);
        auto* panel = window().findChild<TryPanel*>();
        panel->findChild<QPlainTextEdit*>(QStringLiteral("tryPrompt"))->setPlainText(QStringLiteral("What is a signal box?"));
        panel->findChild<QPushButton*>(QStringLiteral("trySend"))->click();
        QTRY_VERIFY(panel->findChild<QPlainTextEdit*>(QStringLiteral("tryAnswer"))->toPlainText().endsWith(QStringLiteral("combinations.")));
        console().settle();
        save(QStringLiteral("streaming"));
        gateway.release();
        QTRY_VERIFY(!panel->isRunning());
        console().settle();
        save(QStringLiteral("answered"));

        gateway.enqueue(test::Reply::json("{\"error\":{\"message\":\"The model 'nobody' is not known. Did you mean auto?\",\"type\":\"invalid_request_error\",\"code\":\"model_not_found\",\"param\":\"model\"}}", 404));
        panel->findChild<QComboBox*>(QStringLiteral("tryModel"))->setEditText(QStringLiteral("nobody"));
        panel->findChild<QPushButton*>(QStringLiteral("trySend"))->click();
        QTRY_VERIFY(!panel->isRunning());
        console().settle();
        save(QStringLiteral("refused"));
        std::vector<evidence::RunningRequest> requests;
        for (const auto& [model, endpoint, stage, seconds] : {std::tuple("auto", "deepseek:deepseek-v4-flash", evidence::Stage::streaming, 62), {"qwen3-8b", "lab:qwen3-8b", evidence::Stage::waiting, 7}, {"auto", "", evidence::Stage::queued, 1}}) {
            FastRandom random(static_cast<std::uint64_t>(seconds));
            auto& request = requests.emplace_back();
            request.id = DecisionId::make(SystemClock().now(), random);
            request.createdAt = SystemClock().now() - std::chrono::seconds(seconds);
            request.admittedAt = SystemClock().steady() - std::chrono::seconds(seconds);
            request.requestedModel = model;
            request.endpointId = endpoint;
            request.stage = stage;
            request.stream = true;
            request.principal = "batch";
            request.attempts = stage == evidence::Stage::queued ? 0 : 1;
            if (stage == evidence::Stage::streaming) request.firstContentMs = 840;
        }
        console().target->setRequests({requests, 0, engine::RequestsUnderWay::Told::told});
        auto* live = window().findChild<TableView*>(QStringLiteral("liveDecisions"));
        const auto firstOutcome = [live] { return live->model()->index(0, LiveDecisionsModel::OutcomeColumn).data().toString(); };
        QTRY_VERIFY_WITH_TIMEOUT(firstOutcome().startsWith(QStringLiteral("queued")), 5'000);
        live->selectSourceRow(2);
        console().settle();
        save(QStringLiteral("running"));
        window().resize(1100, 720);
        console().settle();
        save(QStringLiteral("narrow"));
        for (const auto* field : window().findChild<ConnectPanel*>()->findChildren<CopyField*>()) {
            const auto* line = field->findChild<QLineEdit*>();
            QVERIFY2(line->fontMetrics().horizontalAdvance(line->text()) < line->width(), qPrintable(line->text()));  // an address is read whole
        }
    }
};

QTEST_MAIN(GatewayPicturesTest)
#include "tst_gateway_pictures.moc"
