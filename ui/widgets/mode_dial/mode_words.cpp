// SPDX-License-Identifier: MIT
#include "ui/widgets/mode_dial/mode_words.h"

#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace signalbox::ui {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(ModeDial)
};
}  // namespace

QString modeWords(std::string_view mode, std::uint32_t percent) {
    if (mode == config::toString(config::RoutingMode::active)) return Words::tr("active %1 %").arg(percent);
    return mode == config::toString(config::RoutingMode::shadow) ? Words::tr("shadow") : Words::tr("off");
}

StatusWords runningModeWords(const engine::TargetStatus& status) {
    const bool up = status.state == engine::GatewayState::running || status.state == engine::GatewayState::draining;
    if (!up) return {Tone::idle, Words::tr("not running"), Words::tr("mode not running"), Words::tr("No gateway runs, so no mode is in force.")};
    if (status.killed)
        return {Tone::danger, Words::tr("off by hand"), Words::tr("smart routing off by hand"),
                Words::tr("The kill switch holds the gateway at mode off. Release it here or with Ctrl+Shift+K.")};
    QString set;
    for (const std::string& variable : status.overrides) set += Words::tr(" The environment says %1.").arg(format::text(variable));
    const QString words = modeWords(status.mode, status.activationPercent);
    if (status.mode == config::toString(config::RoutingMode::off))
        return {Tone::idle, words, Words::tr("mode off"), Words::tr("Smart aliases take their first candidate; nothing is scored.") + set};
    if (status.mode == config::toString(config::RoutingMode::shadow))
        return {Tone::info, words, Words::tr("mode shadow"), Words::tr("Candidates are scored and recorded; the first one serves.") + set};
    return {Tone::canary, words, Words::tr("mode %1").arg(words), Words::tr("The scored order serves %1 % of the requests, stable by session; the rest is control.").arg(status.activationPercent) + set};
}

QString whyNoDial(const policy::LoadedWorkspace* workspace) {
    if (workspace == nullptr) return Words::tr("No policy is open.");
    if (workspace->configFile.empty()) return Words::tr("No gateway.toml is open; the mode stands there.");
    if (workspace->writtenConfig->routing.groups.empty()) return Words::tr("There is no smart group yet that a mode could apply to. Add one on the groups page.");
    return {};
}

QString overrideWords(const policy::LoadedWorkspace& workspace) {
    QStringList set;
    for (const auto& item : workspace.overrides)
        if (item.path == "routing.mode" || item.path == "routing.activation_percent")
            set << format::text(item.variable) + QLatin1Char('=') + format::text(item.value);
    if (set.isEmpty()) return {};
    const auto& routing = workspace.config.config->routing;
    return Words::tr("%1 is set in the environment and wins over the draft: it would run as %2.")
        .arg(set.join(Words::tr(" and ")), modeWords(config::toString(routing.mode), routing.activationPercent));
}

}  // namespace signalbox::ui
