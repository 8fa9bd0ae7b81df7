// SPDX-License-Identifier: MIT
#include "tests/support/console_fixture.h"

#include "app/shared/demo_week/demo_week.h"
#include "ui/theme/theme.h"

#include <QTest>

#include <algorithm>

namespace signalbox::test {

using namespace ui;

// Once a process: the week takes a second, and no test changes it.
struct DemoWeek {
    FakeHistory::Records records;
    std::vector<evidence::Event> events;
};
static const DemoWeek& demoWeek(const policy::PolicySnapshot& snapshot) {
    static DemoWeek made;
    if (made.records) return made;
    auto records = std::make_shared<std::vector<evidence::DecisionRecord>>();
    app::generateDemoWeek(
        snapshot, SystemClock().now(),
        [&records](const evidence::DecisionRecord& record) {
            records->push_back(record);
            return true;
        },
        nullptr, [](const evidence::Event& event) { made.events.push_back(event); });
    std::sort(made.events.begin(), made.events.end(), [](const auto& a, const auto& b) { return std::tie(a.createdAt, a.id) < std::tie(b.createdAt, b.id); });
    made.records = std::move(records);
    return made;
}

// Gateways elsewhere are the fake one, whatever their address; every variable holds a token.
static Targets::Reach reachOf(const std::shared_ptr<FakeTarget>& elsewhere) {
    Targets::Reach reach;
    reach.make = [elsewhere](const engine::RemoteOptions& options) -> Result<std::shared_ptr<engine::Target>> {
        engine::TargetStatus status = elsewhere->status();
        status.name = options.name;
        elsewhere->setStatus(status);
        return std::shared_ptr<engine::Target>(elsewhere);
    };
    reach.ask = [elsewhere](const engine::AdminAccess& access) -> Result<engine::TargetStatus> {
        if (access.token != "good") return fail(ErrorKind::denied, "the gateway does not accept this admin token", access.url, "It is the one in the file admin-token of that gateway's state folder");
        return elsewhere->status();
    };
    reach.environment = [](const QString&) { return std::optional(QStringLiteral("good")); };
    return reach;
}

ConsoleFixture::ConsoleFixture(Gateway wanted) : target(std::make_shared<FakeTarget>()), elsewhere(std::make_shared<FakeTarget>()) {
    Theme::instance().apply();
    bridge = std::make_unique<Bridge>(target);
    document = std::make_unique<PolicyDocument>();
    gateway = std::make_unique<GatewayControl>(bridge.get(), document.get());
    settings = std::make_unique<Settings>(m_folder.filePath(QStringLiteral("console.ini")));
    settings->setStartShown(false);  // nobody's first start; tests of the first steps show them
    targets = std::make_unique<Targets>(bridge.get(), settings.get(), nullptr, reachOf(elsewhere));
    QObject::connect(document.get(), &PolicyDocument::loadFailed, document.get(),
                     [this](const Error& error, const Findings&) { why = QString::fromStdString(error.text()); });
    document->openWorkspace(QStringLiteral(SIGNALBOX_SOURCE_DIR "/resources/demo"));
    [[maybe_unused]] const bool loaded = QTest::qWaitFor([this] { return document->workspace() != nullptr || !why.isEmpty(); }, 10'000);
    if (document->workspace() == nullptr) {
        if (why.isEmpty()) why = QStringLiteral("the demo workspace was not read in time");
        return;
    }
    const DemoWeek& week = demoWeek(*document->workspace()->snapshot);
    records = week.records;
    target->setHistory(records);
    target->setEvents(week.events);
    if (wanted == Gateway::running && !target->start({document->workspace()->snapshot, {}})) why = QStringLiteral("the fake gateway did not start");
    window = std::make_unique<MainWindow>(MainWindow::Parts{bridge.get(), document.get(), gateway.get(), settings.get(), m_folder.filePath(QStringLiteral("keys")).toStdString(), targets.get()}, allPages());
    if (wanted == Gateway::running)
        for (std::size_t i = records->size() - std::min<std::size_t>(records->size(), 120); i < records->size(); ++i) target->decide((*records)[i]);
    settle();
}

ConsoleFixture::~ConsoleFixture() {
    window.reset();  // pages use the rest
}

void ConsoleFixture::lookElsewhere(const QString& name) {
    static_cast<void>(elsewhere->start({document->workspace()->snapshot, {}}));
    elsewhere->tellHashOnly();
    engine::TargetStatus status = elsewhere->status();
    status.remote = true;
    status.heardAt = SystemClock().now();
    status.address = "gw.example:38082";
    status.baseUrl = "https://gw.example:38082/v1";
    elsewhere->setStatus(status);
    targets->add({name, QStringLiteral("https://gw.example:38082"), QStringLiteral("PROD_TOKEN"), {}}, {}, [](const Result<void>&) {});
    targets->choose(name, [](const Result<void>&) {});
}

// The fake's worker answers in order: when this question is answered, all earlier ones are.
static void awaitAnswers(Bridge& bridge) {
    bool answered = false;
    const TicketPtr ticket = bridge.ask<evidence::HistorySummary>(
        [](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) { return reader.summary({}, cancel); },
        [&answered](const Result<evidence::HistorySummary>&) { answered = true; });
    [[maybe_unused]] const bool done = QTest::qWaitFor([&answered] { return answered; }, 10'000);
}

// However slow the machine is: what a label asks for goes up to the window by one layout in each turn of the loop.
static void awaitLayouts() {
    constexpr int kTurns = 30;
    for (int turn = 0; turn < kTurns; ++turn) QCoreApplication::processEvents();
}

void ConsoleFixture::settle() {
    // Pages ask on a tick of the bridge, and what they are told may make them ask again.
    for (int round = 0; round < 2; ++round) {
        awaitAnswers(*bridge);
        QTest::qWait(125);  // longer than a tick
        awaitLayouts();
    }
}

}  // namespace signalbox::test
