// SPDX-License-Identifier: MIT
#include "app/console/console.h"

#include "app/console/keyring.h"
#include "app/console/startup_trace.h"
#include "app/shared/start_apart.h"
#include "ui/bridge/async.h"
#include "ui/bridge/bridge.h"
#include "ui/bridge/targets.h"
#include "ui/document/gateway_control.h"
#include "ui/document/policy_document.h"
#include "ui/shell/main_window.h"
#include "ui/theme/theme.h"
#include "ui/widgets/basics.h"

#include <QCoreApplication>
#include <QLabel>
#include <QProgressBar>
#include <QTextStream>
#include <QTimer>
#include <QVBoxLayout>

namespace signalbox::console {

using namespace ui;

static constexpr std::chrono::milliseconds kLastPatience{3'000};
static constexpr std::chrono::milliseconds kPatienceBeforeWaiting{400};

static void applyTheme(const Settings& settings) {
    Theme& theme = Theme::instance();
    switch (settings.theme()) {
    case ThemeChoice::system: theme.setScheme(theme.systemScheme()); break;
    case ThemeChoice::light: theme.setScheme(Scheme::light); break;
    case ThemeChoice::dark: theme.setScheme(Scheme::dark); break;
    }
    theme.apply();
}

static Result<void> openConsoleOf(const QString& path) {
    return app::startApart(QCoreApplication::applicationFilePath().toStdString(), {path.toStdString()});
}

Console::Console(Arguments arguments) : m_arguments(std::move(arguments)) { applyTheme(m_settings); }

Console::~Console() {
    m_window.reset();  // pages use the rest
    m_gateway.reset();
    m_targets.reset();
    m_bridge.reset();
    // The last requests get a moment; what they decided is already in the journal.
    if (m_target) static_cast<void>(m_target->stop(kLastPatience));
}

void Console::start() {
    // At the very first start a week of demo history is written; usually this is over before it would be seen.
    QTimer::singleShot(kPatienceBeforeWaiting, this, &Console::showWaiting);
    const std::filesystem::path wanted(m_arguments.path.toStdU16String());
    runAsync(
        this, [wanted] { return prepare(wanted); }, [this](Result<Prepared> prepared) { show(std::move(prepared)); });
}

void Console::showWaiting() {
    if (m_window) return;
    m_waiting = std::make_unique<QWidget>();
    m_waiting->setWindowTitle(tr("Signalbox"));
    auto* text = makeLabel(tr("Preparing the workspace and its history…"));
    text->setAlignment(Qt::AlignCenter);
    auto* bar = new QProgressBar;
    bar->setRange(0, 0);
    bar->setTextVisible(false);
    bar->setAccessibleName(text->text());
    auto* layout = new QVBoxLayout(m_waiting.get());
    layout->setContentsMargins(Theme::kSection, Theme::kSection, Theme::kSection, Theme::kSection);
    layout->setSpacing(Theme::kMargin);
    layout->addWidget(text);
    layout->addWidget(bar);
    m_waiting->setMinimumWidth(360);
    m_waiting->show();
}

void Console::show(Result<Prepared> prepared) {
    if (!prepared) {
        QTextStream(stderr) << "signalbox: " << QString::fromStdString(prepared.error().text()) << Qt::endl;
        QCoreApplication::exit(1);
        return;
    }
    m_target = prepared->target;
    m_bridge = std::make_unique<Bridge>(m_target);
    m_keyring = std::make_unique<Keyring>();
    m_targets = std::make_unique<Targets>(m_bridge.get(), &m_settings, m_keyring.get(), Targets::overTheNetwork());
    DocumentOptions options;
    options.recoveryFolder = prepared->draftFolder;
    m_document = std::make_unique<PolicyDocument>(std::move(options));
    m_gateway = std::make_unique<GatewayControl>(m_bridge.get(), m_document.get());
    m_gateway->setKeyFolder(prepared->keyFolder);
    m_gateway->setHome(prepared->home, openConsoleOf);
    m_window = std::make_unique<MainWindow>(MainWindow::Parts{m_bridge.get(), m_document.get(), m_gateway.get(), &m_settings, prepared->keyFolder, m_targets.get()}, allPages());
    if (!m_arguments.page.isEmpty()) m_window->go(m_arguments.page);
    m_window->show();
    m_waiting.reset();
    if (qEnvironmentVariableIsSet("SIGNALBOX_TRACE_STARTUP")) {
        reportFirstFrame(*m_window);
        reportUsable(*m_window, *m_document);
    }
    if (prepared->home.empty()) settleWhenOpened();
    m_document->openPath(QString::fromStdU16String(prepared->path.u16string()));
    // The demo is there to be seen running; any other workspace starts when its operator says so.
    if (!complainOf(*prepared) && prepared->isDemo) m_gateway->startWhenOpened();
}

bool Console::complainOf(const Prepared& prepared) {
    const QString trouble = QString::fromStdString(m_target->status().lastError);
    if (prepared.complaint) m_window->complain(*prepared.complaint);
    else if (!trouble.isEmpty()) m_window->remark(tr("This console only observes. %1").arg(trouble));
    return prepared.complaint || !trouble.isEmpty();
}

void Console::settleWhenOpened() {
    connect(m_document.get(), &PolicyDocument::changed, this, &Console::settle, Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void Console::settle() {
    runAsync(
        this, [table = m_document->workspace()->tableFile] { return prepare(table); },
        [this](const Result<Prepared>& prepared) {
            if (!prepared) return m_window->complain(prepared.error());
            if (prepared->home.empty()) return settleWhenOpened();  // it went while it was looked at
            m_bridge->setOwn(prepared->target);
            m_target = prepared->target;
            m_gateway->setHome(prepared->home, openConsoleOf);
            complainOf(*prepared);
        });
}

}  // namespace signalbox::console
