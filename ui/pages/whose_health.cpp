// SPDX-License-Identifier: MIT
#include "ui/pages/whose_health.h"

#include "router/base/hashing.h"
#include "router/policy/canonical.h"
#include "ui/document/gateway_control.h"
#include "ui/document/policy_document.h"
#include "ui/theme/format.h"

#include <algorithm>

namespace signalbox::ui {

static constexpr std::size_t kMostSaved = 8;

WhoseHealth::WhoseHealth(const PageContext& context, QWidget* parent) : ToneLabel(parent), m_context(context) {
    setObjectName(QStringLiteral("whoseHealth"));
    connect(context.gateway, &GatewayControl::stateChanged, this, &WhoseHealth::follow);
    connect(context.bridge, &Bridge::targetChanged, this, &WhoseHealth::follow);
    connect(context.bridge, &Bridge::statusChanged, this, &WhoseHealth::follow);
    connect(context.document, &PolicyDocument::changed, this, &WhoseHealth::follow);
    connect(context.document, &PolicyDocument::dirtyChanged, this, &WhoseHealth::follow);
    follow();
}

std::span<const engine::EndpointHealth> WhoseHealth::health() const {
    if (!m_whyNot.isEmpty()) return {};
    return m_context.bridge->endpoints();
}

QString WhoseHealth::elsewhere() const {
    return m_context.bridge->looksElsewhere() && m_whyNot.isEmpty() ? format::text(m_context.bridge->status().name) : QString();
}

void WhoseHealth::follow() {
    remember();
    const QString before = std::exchange(m_whyNot, judge());
    const QString name = elsewhere();
    if (!m_whyNot.isEmpty()) set(Tone::caution, m_whyNot);
    else
        set(Tone::info, tr("Endpoint health (circuits, failures, averages of calls) is that of %1, which runs what is open here.").arg(name));
    setVisible(!name.isEmpty() || !m_whyNot.isEmpty());
    if (m_whyNot != before) Q_EMIT changed();
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

QString WhoseHealth::judge() {
    const QString what = tr("endpoint health (circuits, failures, averages of calls)");
    if (m_context.bridge->looksElsewhere()) return judgeElsewhere(what);
    const HomeWorkspace& home = m_context.gateway->home();
    if (home.guest().isEmpty()) return {};
    return tr("This console's gateway is that of %1, not of %2, so its %3 is left out.").arg(home.name(), home.guestName(), what);
}

QString WhoseHealth::judgeElsewhere(const QString& what) {
    const engine::TargetStatus& status = m_context.bridge->status();
    const QString name = format::text(status.name);
    if (status.unreachableSince != Timestamp{}) return tr("%1 cannot be reached, so its %2 is not known.").arg(name, what);
    if (status.state == engine::GatewayState::starting) return tr("%1 has not answered yet, so its %2 is not known.").arg(name, what);
    if (m_context.bridge->runningHash().empty()) return tr("%1 serves nothing now, so there is no %2.").arg(name, what);
    return runsOneOfOurs() ? QString() : tr("%1 does not run what is open here, so its %2 is left out.").arg(name, what);
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
