// SPDX-License-Identifier: MIT
#include "ui/document/gateway_control.h"

#include "router/signing/key_pairs.h"
#include "router/signing/trust.h"
#include "ui/bridge/bridge.h"
#include "ui/document/policy_document.h"
#include "ui/theme/plain_tip.h"

#include <algorithm>
#include <tuple>

namespace signalbox::ui {

using engine::GatewayState;

static constexpr std::size_t kShownDigits = 12;

GatewayControl::GatewayControl(Bridge* bridge, PolicyDocument* document, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_document(document), m_start(new QAction(tr("Start the gateway"), this)),
      m_stop(new QAction(tr("Stop the gateway"), this)), m_apply(new QAction(tr("Apply"), this)),
      m_kill(new QAction(this)) {
    m_start->setObjectName(QStringLiteral("gateway.start"));
    m_start->setToolTip(tr("Serve the open policy on this workstation"));
    m_stop->setObjectName(QStringLiteral("gateway.stop"));
    m_stop->setToolTip(tr("Refuse new requests, let those in flight finish, then close the port"));
    m_apply->setObjectName(QStringLiteral("gateway.apply"));
    m_apply->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+Return")));
    m_kill->setObjectName(QStringLiteral("gateway.kill"));
    m_kill->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+K")));
    m_kill->setCheckable(true);
    connect(m_kill, &QAction::triggered, this, &GatewayControl::toggleKill);
    connect(m_document, &PolicyDocument::dirtyChanged, this, &GatewayControl::refresh);
    connect(m_document, &PolicyDocument::busyChanged, this, &GatewayControl::refresh);
    connect(m_start, &QAction::triggered, this, &GatewayControl::start);
    connect(m_stop, &QAction::triggered, this, &GatewayControl::stop);
    connect(m_apply, &QAction::triggered, this, &GatewayControl::apply);
    connect(m_bridge, &Bridge::statusChanged, this, &GatewayControl::refresh);
    connect(m_bridge, &Bridge::targetChanged, this, [this] {
        ++m_look;
        m_busy = false;  // what is under way was asked of the last one, and keeps nothing of this one waiting
        refresh();
    });
    connect(m_document, &PolicyDocument::changed, this, [this] {
        m_home.see(*m_document->workspace());
        refresh();
    });
    refresh();
}

static QString appliedWords(int unsaved) {
    return unsaved == 0 ? GatewayControl::tr("The open policy takes the next requests; requests in flight finish on the old one")
                        : GatewayControl::tr("The draft as shown, with %n unsaved change(s), takes the next requests; requests in flight finish on the old policy", nullptr, unsaved);
}

bool GatewayControl::isKilled() const { return m_bridge->status().killed; }

// What an apply changes beside the policy that the hash is of: where the gateway listens, and what its records say of it.
static auto surroundings(const config::GatewayConfig& config) {
    return std::tie(config.server.host, config.server.port, config.evidence.enabled, config.evidence.target, config.evidence.environment);
}

bool GatewayControl::draftDiffers() const {
    const auto workspace = m_document->workspace();
    const std::string running = m_bridge->runningHash();
    if (!workspace || !workspace->snapshot || running.empty()) return false;
    if (workspace->snapshot->hash != running) return true;
    const auto known = m_bridge->running();  // of a gateway elsewhere only the hash is
    return known && surroundings(*known->config) != surroundings(*workspace->snapshot->config);
}

// The name of the gateway that is looked at, when it is not the console's own.
QString GatewayControl::elsewhere() const { return m_bridge->status().remote ? QString::fromStdString(m_bridge->status().name) : QString(); }

void GatewayControl::refresh() {
    const auto state = m_bridge->status().state;
    const bool up = state == GatewayState::running;
    const bool down = state == GatewayState::stopped || state == GatewayState::failed;
    const auto workspace = m_document->workspace();
    m_start->setEnabled(!m_busy && down && workspace && workspace->snapshot);
    m_start->setToolTip(tr("Serve the open policy on this workstation"));
    m_stop->setEnabled(!m_busy && up);
    m_stop->setToolTip(tr("Refuse new requests, let those in flight finish, then close the port"));
    m_apply->setEnabled(!m_busy && up && draftDiffers() && !m_document->isBusy());
    m_apply->setToolTip(plainTip(appliedWords(m_document->changeCount())));
    m_kill->setEnabled(!m_busy && up);
    m_kill->setChecked(isKilled());
    m_kill->setText(isKilled() ? tr("Release the kill switch") : tr("Smart routing off now"));
    m_kill->setToolTip(plainTip(isKilled() ? tr("The running policy goes back to its own mode with the next request")
                                  : tr("Every smart alias takes its first candidate from the next request on; nothing in flight changes")));
    if (!m_home.guest().isEmpty())
        for (QAction* action : {m_start, m_apply}) action->setToolTip(plainTip(guestWords()));
    if (!elsewhere().isEmpty()) refreshElsewhere();
    Q_EMIT stateChanged();
}

void GatewayControl::refreshElsewhere() {
    m_start->setEnabled(false);
    m_start->setToolTip(tr("A gateway elsewhere is started where it runs: signalboxctl serve"));
    m_stop->setEnabled(false);
    m_stop->setToolTip(tr("A gateway elsewhere is stopped where it runs"));
    if (m_document->isDirty()) m_apply->setEnabled(false);
    m_apply->setToolTip(plainTip(m_document->isDirty() ? tr("%1 gets the files as they are saved, with their signatures: save first").arg(elsewhere())
                                              : tr("%1 gets the saved files with their signatures, verifies them, and answers by them from the next request on").arg(elsewhere())));
}

void GatewayControl::setHome(const std::filesystem::path& folder, std::function<Result<void>(const QString& path)> open) {
    m_home = HomeWorkspace(folder);
    m_openConsole = std::move(open);
    if (const auto workspace = m_document->workspace()) m_home.see(*workspace);
    refresh();
}

QString GatewayControl::guestWords() const {
    const QString words = tr("This console was started on %1, and runs and records for it alone. %2 can be read, changed and saved here; a console of its own serves it.").arg(m_home.name(), m_home.guestName());
    return m_document->isDirty() ? words + QLatin1Char(' ') + tr("What is not saved stays in this one.") : words;
}

QString GatewayControl::openVerb() const { return tr("Open %1 in a console of its own").arg(m_home.guestName()); }

void GatewayControl::openGuest() {
    if (m_home.guest().isEmpty() || !m_openConsole) return;
    if (const auto opened = m_openConsole(m_home.guest()); !opened) Q_EMIT failed(opened.error());
    else Q_EMIT said(tr("%1 opens in a console of its own").arg(m_home.guestName()));
}

void GatewayControl::offerConsole() {
    Q_EMIT asked(guestWords(), openVerb(), [this, asked = m_home.guest()] {
        if (m_home.guest() == asked) openGuest();
    });
}

// After the pages have drawn it, and not when another one was opened instead.
void GatewayControl::startWhenOpened() {
    connect(
        m_document, &PolicyDocument::changed, this, [this] {
            if (m_home.guest().isEmpty()) m_start->trigger();
        },
        Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
}

GatewayControl::Asked GatewayControl::begin() {
    m_busy = true;
    refresh();
    return {m_look, QString::fromStdString(m_bridge->status().name), m_bridge->status().remote};
}

// By the time an answer comes another gateway may be looked at: the words then say whose it is.
void GatewayControl::finish(const Asked& asked, const Result<void>& result, const QString& success) {
    if (isHere(asked)) {
        m_busy = false;
        refresh();
    }
    const bool named = !isHere(asked) || asked.remote;
    if (result) return Q_EMIT said(named ? tr("%1: %2").arg(asked.name, success) : success);
    Error error = result.error();
    if (named) error.where = asked.name.toStdString() + (error.where.empty() ? std::string() : ", " + error.where);
    Q_EMIT failed(error);
}

// The signature has to be of the very bytes that will run: an unsaved draft is nobody's.
static Bridge::Signer signerBy(const std::filesystem::path& keyFolder) {
    return [keyFolder](const policy::LoadedWorkspace& workspace) -> std::string {
        if (keyFolder.empty() || workspace.tableFile.empty()) return {};
        const auto listed = signing::listKeys(keyFolder);
        if (!listed) return {};
        std::vector<signing::PublicKey> trusted;
        for (const auto& key : listed->keys) trusted.push_back(key.key);
        const auto verified = signing::verifyFile(workspace.tableFile, trusted);
        return verified && verified->sha256 == workspace.table.sha256 ? verified->signerText() : std::string();
    };
}

void GatewayControl::start() {
    if (!m_home.guest().isEmpty()) return offerConsole();
    const Asked asked = begin();
    const auto workspace = m_document->workspace();
    m_bridge->start(workspace, [this, asked, workspace](const Result<void>& result) {
        const QString success = isHere(asked) ? tr("The gateway listens on %1").arg(QString::fromStdString(m_bridge->status().address)) : tr("The gateway is started");
        if (result) checkWhatRuns(asked, workspace->snapshot->hash, success);
        else finish(asked, result, {});
    }, signerBy(m_keyFolder));
}

// From then on every client is refused, so that it is asked about, as draining a single endpoint is.
void GatewayControl::stop() {
    const auto inFlight = static_cast<int>(m_bridge->status().inFlight);
    const QString rest = inFlight == 0 ? tr("Nothing is in flight.") : tr("%n request(s) in flight will finish.", nullptr, inFlight);
    const QString question = tr("Stop the gateway? Clients get no answer until it is started again. %1").arg(rest);
    Q_EMIT asked(question, tr("Stop it"), [this, look = m_look] {
        if (look != m_look) return;
        if (!m_stop->isEnabled()) return Q_EMIT said(tr("Nothing was stopped: the gateway is in another state by now"));
        m_bridge->stop([this, asked = begin()](const Result<void>& result) { finish(asked, result, tr("The gateway is stopped")); });
    });
}

static int warningsIn(const policy::LoadedWorkspace& workspace) {
    std::ptrdiff_t warnings = 0;
    for (const Findings* list : {&workspace.table.findings, &workspace.config.findings, &workspace.crossFindings})
        warnings += std::count_if(list->begin(), list->end(), [](const Finding& finding) { return finding.severity == Severity::warning; });
    return static_cast<int>(warnings);
}

// What is saved and has no finding was looked at; anything else is named before it is live.
void GatewayControl::applyHere() {
    const auto workspace = m_document->workspace();
    const int changes = m_document->changeCount(), warnings = workspace ? warningsIn(*workspace) : 0;
    if (changes == 0 && warnings == 0) return applyNow();
    QStringList parts;
    if (changes > 0) parts << tr("%n unsaved change(s)", nullptr, changes);
    if (warnings > 0) parts << tr("%n finding(s)", nullptr, warnings);
    const QString name = QString::fromStdString(m_bridge->status().name);
    const QString question = tr("Apply %1 to %2, with %3? The next requests are answered by it.");
    Q_EMIT asked(question.arg(m_document->title(), name, parts.join(tr(" and "))), tr("Apply"), [this, look = m_look, asked = workspace] {
        if (look != m_look) return;  // nothing is done to another one than was asked about
        if (m_document->workspace() != asked) return refuseOther();
        if (!m_apply->isEnabled()) return refuseOther();  // e.g. the field that was left for this is being checked
        applyNow();
    });
}

void GatewayControl::refuseOther() {
    const std::string where = m_document->title().toStdString();
    Q_EMIT failed({ErrorKind::conflict, "What is open has changed since you were asked", where, "Apply again."});
}

void GatewayControl::apply() {
    if (elsewhere().isEmpty()) return m_home.guest().isEmpty() ? applyHere() : offerConsole();
    Q_EMIT asked(tr("Apply the saved files of %1 to %2? Its next requests are answered by them.").arg(m_document->title(), elsewhere()), tr("Apply to %1").arg(elsewhere()),
                 [this, name = elsewhere(), asked = m_document->workspace()] {
                     if (elsewhere() != name) return;  // nothing is done to another one than was asked about
                     if (m_document->workspace() == asked && !m_document->isDirty()) return applyNow();
                     refuseOther();
                 });
}

void GatewayControl::applyNow() {
    const Asked asked = begin();
    const auto workspace = m_document->workspace();
    m_bridge->applyByRestart(workspace, [this, asked, workspace, unsaved = m_document->changeCount()](const Result<void>& result) {
        const QString success = unsaved == 0 ? tr("The open policy takes the next requests")
                                             : tr("The draft takes the next requests, with %n unsaved change(s)", nullptr, unsaved);
        if (result) checkWhatRuns(asked, workspace->snapshot->hash, success);
        else finish(asked, result, {});
    }, signerBy(m_keyFolder));
}

// What the gateway says of itself, against what it was given (F80). Only of the one that is looked at is that known.
void GatewayControl::checkWhatRuns(const Asked& asked, const std::string& hash, const QString& success) {
    if (!isHere(asked)) return finish(asked, {}, success);
    const std::string running = m_bridge->runningHash();
    if (running == hash) return finish(asked, {}, success + QStringLiteral(" (%1)").arg(QString::fromStdString(hash.substr(0, kShownDigits))));
    // Its environment, which may override the files, is its own; what it runs stands on its page.
    if (asked.remote) return finish(asked, {}, tr("It answers by the files it was given (%1)").arg(QString::fromStdString(running.substr(0, kShownDigits))));
    finish(asked,
           fail(ErrorKind::conflict, "The gateway answers with another policy than the one it was given",
                !running.empty() ? "running " + running.substr(0, kShownDigits) + ", given " + hash.substr(0, kShownDigits) : "nothing is running",
                "Look at what is running on the overview page, then apply again."),
           {});
}

void GatewayControl::toggleKill() {
    const bool on = !isKilled();
    refresh();  // the action shows what is, not what was asked for
    if (elsewhere().isEmpty()) return killNow(on);
    Q_EMIT asked(on ? tr("Turn smart routing off on %1? Every smart alias there takes its first candidate from the next request on.").arg(elsewhere())
                    : tr("Release the kill switch of %1? Its policy goes back to its own mode with the next request.").arg(elsewhere()),
                 on ? tr("Turn it off on %1").arg(elsewhere()) : tr("Release it on %1").arg(elsewhere()), [this, on, name = elsewhere()] {
                     if (elsewhere() == name) killNow(on);
                 });
}

void GatewayControl::killNow(bool on) {
    m_bridge->off(on, [this, on, asked = begin()](const Result<void>& result) {
        finish(asked, result, on ? tr("Smart routing is off by hand: every smart alias takes its first candidate") : tr("The running policy is back in its own mode"));
    });
}

}  // namespace signalbox::ui
