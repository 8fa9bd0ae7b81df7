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
#include <QScrollArea>
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
        const auto hourly = [](const char* code, const char* message, std::uint64_t count, const char* peer, const char* agent, const char* principal, bool others = false) {
            return engine::RefusalCount{code, message, count, SystemClock().now() - std::chrono::minutes(count % 50), peer, agent, principal, others};
        };
        console().target->setRefusals({hourly("invalid_token", "The token is not one of this gateway. Send the token that it was given, as Authorization: Bearer.", 1'284, "192.0.2.17", "OpenAI/JS 4.20.0", ""),
                                       hourly("too_many_requests_per_minute", "Principal batch may send 60 requests a minute. Try again in 12 s, or raise requests_per_minute.", 96, "2001:db8:85a3::8a2e:370:7334", "python-requests/2.31.0", "batch"),
                                       hourly("unsupported_encoding", "Content-Encoding gzip is not understood. Send the body as it is.", 7, "127.0.0.1", "curl/8.5.0", "local"),
                                       hourly("invalid_token", "The token is not one of this gateway.", 31, "", "", "", true)});
        auto* live = window().findChild<TableView*>(QStringLiteral("liveDecisions"));
        const auto firstOutcome = [live] { return live->model()->index(0, LiveDecisionsModel::OutcomeColumn).data().toString(); };
        QTRY_VERIFY_WITH_TIMEOUT(firstOutcome().startsWith(QStringLiteral("queued")), 5'000);
        auto* refusals = window().findChild<TableView*>(QStringLiteral("refusals"));
        QTRY_COMPARE_WITH_TIMEOUT(refusals->model()->rowCount(), 4, 5'000);
        live->selectSourceRow(2);
        console().settle();
        save(QStringLiteral("running"));
        refusals->selectSourceRow(1);
        console().settle();
        auto* area = window().findChild<QScrollArea*>(QStringLiteral("gatewayArea"));
        const auto scrollDown = [&] {
            area->ensureWidgetVisible(refusals);
            console().settle();
        };
        scrollDown();
        save(QStringLiteral("refusals"), Checks::none);
        window().resize(1720, 900);
        console().settle();
        scrollDown();
        save(QStringLiteral("refusals-wide"), Checks::none);
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
