// SPDX-License-Identifier: MIT
#include "ui/pages/whose_health.h"

#include "router/base/hashing.h"
#include "router/policy/canonical.h"
#include "ui/document/gateway_control.h"
#include "ui/document/policy_document.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/tone_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

static constexpr std::size_t kMostSaved = 8;
static constexpr int kIndent = 15;  // where the sentence begins behind its mark

WhoseHealth::WhoseHealth(const PageContext& context, Apply apply, QWidget* parent)
    : QWidget(parent), m_context(context), m_apply(apply), m_sentence(new ToneLabel), m_wayOut(new QWidget), m_next(makeMuted({})),
      m_button(makeButton({})) {
    m_sentence->setObjectName(QStringLiteral("whoseHealth"));
    m_next->setObjectName(QStringLiteral("whoseHealthNext"));
    m_button->setObjectName(QStringLiteral("whoseHealthButton"));
    auto* wayOut = new QHBoxLayout(m_wayOut);
    wayOut->setContentsMargins(kIndent, 0, 0, 0);
    wayOut->setSpacing(Theme::kGapWide);
    wayOut->addWidget(m_next, 1);
    wayOut->addWidget(m_button, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addWidget(m_sentence);
    layout->addWidget(m_wayOut);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (const auto go = m_verdict.go) go();  // a copy: whatever it does may end in another verdict
    });
    connect(context.gateway, &GatewayControl::stateChanged, this, &WhoseHealth::follow);
    connect(context.bridge, &Bridge::targetChanged, this, &WhoseHealth::follow);
    connect(context.bridge, &Bridge::statusChanged, this, &WhoseHealth::follow);
    connect(context.bridge, &Bridge::endpointsChanged, this, &WhoseHealth::follow);
    connect(context.document, &PolicyDocument::changed, this, &WhoseHealth::follow);
    connect(context.document, &PolicyDocument::dirtyChanged, this, &WhoseHealth::follow);
    follow();
}

std::span<const engine::EndpointHealth> WhoseHealth::health() const {
    if (!whyNot().isEmpty()) return {};
    return m_context.bridge->endpoints();
}

QString WhoseHealth::elsewhere() const {
    return m_context.bridge->looksElsewhere() && whyNot().isEmpty() ? format::text(m_context.bridge->status().name) : QString();
}

void WhoseHealth::follow() {
    remember();
    const QString before = std::exchange(m_verdict, judge()).whyNot;
    tell(m_verdict);
    if (whyNot() != before) Q_EMIT changed();
}

void WhoseHealth::tell(const Verdict& verdict) {
    const QString name = elsewhere();
    const QString whose = tr("Endpoint health (circuits, failures, averages of calls) is that of %1, which runs what is open here.")
                              .arg(name);
    m_sentence->set(verdict.whyNot.isEmpty() ? Tone::info : Tone::caution, verdict.whyNot.isEmpty() ? whose : verdict.whyNot);
    m_next->setText(verdict.next);
    m_button->setText(verdict.verb);
    m_button->setAccessibleName(verdict.verb);
    m_button->setVisible(!verdict.verb.isEmpty());
    m_wayOut->setVisible(!verdict.next.isEmpty());
    setVisible(!name.isEmpty() || !verdict.whyNot.isEmpty());
}

// A gateway elsewhere goes on with what was applied to it while the files are edited and saved.
void WhoseHealth::remember() {
    const auto open = m_context.document->workspace();
    if (!open) return;
    if (open->tableFile != m_tableFile || open->configFile != m_configFile) m_saved.clear();
    m_tableFile = open->tableFile;
    m_configFile = open->configFile;
    const auto isKnown = [&](const SnapshotPtr& saved) { return saved->hash == open->snapshot->hash; };
    if (!open->snapshot || m_context.document->isDirty() || std::any_of(m_saved.begin(), m_saved.end(), isKnown)) return;
    m_saved.push_back(open->snapshot);
    if (m_saved.size() > kMostSaved) m_saved.erase(m_saved.begin());
}

static QString whatIsMissing() { return WhoseHealth::tr("endpoint health (circuits, failures, averages of calls)"); }

WhoseHealth::Verdict WhoseHealth::judge() {
    if (m_context.bridge->looksElsewhere()) return judgeElsewhere();
    const HomeWorkspace& home = m_context.gateway->home();
    if (home.guest().isEmpty()) return {};
    return {tr("This console's gateway is that of %1, not of %2, so its %3 is left out.")
                .arg(home.name(), home.guestName(), whatIsMissing()),
            tr("To have it, open %1 in a console of its own, or choose a gateway that runs it at the top left.").arg(home.guestName()),
            tr("Open it in a console of its own"), [gateway = m_context.gateway] { gateway->openGuest(); }};
}

WhoseHealth::Verdict WhoseHealth::judgeElsewhere() {
    const engine::TargetStatus& status = m_context.bridge->status();
    const QString name = format::text(status.name), what = whatIsMissing();
    if (status.unreachableSince != Timestamp{})
        return {tr("%1 cannot be reached, so its %2 is not known.").arg(name, what),
                tr("It is asked again by itself; the Gateway page says what failed.") + judgeByOwn(), tr("Open the Gateway page"),
                [go = m_context.go] { go(QStringLiteral("gateway"), {}); }};
    if (status.state == engine::GatewayState::starting)
        return {tr("%1 has not answered yet, so its %2 is not known.").arg(name, what), tr("It comes with the first answer.")};
    if (m_context.bridge->runningHash().empty())
        return {tr("%1 serves nothing now, so there is no %2.").arg(name, what),
                tr("It is started where it runs: signalboxctl serve.") + judgeByOwn()};
    if (!runsOneOfOurs()) return runsAnother();
    if (!m_context.bridge->knowsEndpoints()) return {tr("%1 has not told its %2 yet.").arg(name, what), tr("It is being asked.")};
    return {};
}

WhoseHealth::Verdict WhoseHealth::runsAnother() const {
    const QAction* apply = m_context.gateway->applyAction();
    const auto open = m_context.document->workspace();
    Verdict verdict;
    verdict.whyNot = tr("%1 does not run what is open here, so its %2 is left out.")
                         .arg(format::text(m_context.bridge->status().name), whatIsMissing());
    QStringList next;
    // Which proves nothing: endpoints and their addresses stand in the other file.
    if (open && open->snapshot && open->snapshot->tableSha256 == m_context.bridge->status().tableSha256)
        next << tr("It runs this routing table with another gateway.toml.");
    next << (m_context.document->isDirty()
                 ? tr("Save what is open and apply it there, or open what it runs, even if that is an earlier state of this workspace.")
                 : tr("Apply what is open to it, or open what it runs, even if that is an earlier state of this workspace."));
    verdict.next = next.join(QLatin1Char(' ')) + judgeByOwn();
    if (!apply->isEnabled() || m_apply == Apply::elsewhereOnThePage) return verdict;
    verdict.verb = apply->text();
    verdict.go = [gateway = m_context.gateway] { gateway->applyAction()->trigger(); };  // which asks first
    return verdict;
}

// Of no use to a guest, whose policy that gateway does not run.
QString WhoseHealth::judgeByOwn() const {
    if (!m_context.gateway->home().guest().isEmpty()) return {};
    return QLatin1Char(' ') + tr("To judge by this console's own gateway, choose it at the top left.");
}

// The kill switch, a mode set by hand and an overriding variable make it another policy by its hash, but none of another workspace.
static bool isSameButForMode(const policy::PolicySnapshot& ours, const engine::TargetStatus& status, const std::string& running) {
    if (ours.hash == running) return true;
    if (ours.tableSha256 != status.tableSha256) return false;
    config::GatewayConfig config = *ours.config;
    for (const auto mode : {config::RoutingMode::off, config::RoutingMode::shadow, config::RoutingMode::active})
        if (toString(mode) == status.mode) config.routing.mode = mode;
    config.routing.activationPercent = static_cast<std::uint8_t>(status.activationPercent);
    return sha256Hex(policy::canonicalPolicy(*ours.table, ours.tableSha256, config)) == running;
}

bool WhoseHealth::runsOneOfOurs() {
    const engine::TargetStatus& status = m_context.bridge->status();
    Asked asked{m_context.bridge->runningHash(), status.mode, status.activationPercent, m_saved};
    if (const auto open = m_context.document->workspace(); open && open->snapshot) asked.ours.push_back(open->snapshot);
    if (asked == m_asked) return m_runsOneOfOurs;
    const auto runs = [&](const SnapshotPtr& ours) { return isSameButForMode(*ours, status, asked.running); };
    m_runsOneOfOurs = std::any_of(asked.ours.begin(), asked.ours.end(), runs);
    m_asked = std::move(asked);
    return m_runsOneOfOurs;
}

}  // namespace signalbox::ui
