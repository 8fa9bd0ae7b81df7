// SPDX-License-Identifier: MIT
#include "ui/widgets/mode_dial/mode_words.h"

#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace signalbox::ui {

namespace {
struct ModeWords {
    Q_DECLARE_TR_FUNCTIONS(ModeDial)
};
}  // namespace

QString modeWords(std::string_view mode, std::uint32_t percent) {
    if (mode == config::toString(config::RoutingMode::active)) return ModeWords::tr("active %1 %").arg(percent);
    return mode == config::toString(config::RoutingMode::shadow) ? ModeWords::tr("shadow") : ModeWords::tr("off");
}

StatusWords runningModeWords(const engine::TargetStatus& status) {
    const bool up = status.state == engine::GatewayState::running || status.state == engine::GatewayState::draining;
    if (!up && status.remote)
        return {Tone::idle, ModeWords::tr("not known"), ModeWords::tr("mode not known"), ModeWords::tr("The gateway does not answer, so its mode is not known.")};
    if (!up) return {Tone::idle, ModeWords::tr("not running"), ModeWords::tr("mode not running"), ModeWords::tr("No gateway runs, so no mode is in force.")};
    if (status.killed)
        return {Tone::danger, ModeWords::tr("off by hand"), ModeWords::tr("smart routing off by hand"),
                ModeWords::tr("The kill switch holds the gateway at mode off. Release it here or with Ctrl+Shift+K.")};
    QString set;
    for (const std::string& variable : status.overrides) set += ModeWords::tr(" The environment says %1.").arg(format::text(variable));
    if (!status.modeOverride.empty()) set += ModeWords::tr(" It was set by hand, until the next apply.");
    const QString words = modeWords(status.mode, status.activationPercent);
    if (status.mode == config::toString(config::RoutingMode::off))
        return {Tone::idle, words, ModeWords::tr("mode off"), ModeWords::tr("Smart aliases take their first candidate; nothing is scored.") + set};
    if (status.mode == config::toString(config::RoutingMode::shadow))
        return {Tone::info, words, ModeWords::tr("mode shadow"), ModeWords::tr("Candidates are scored and recorded; the first one serves.") + set};
    return {Tone::canary, words, ModeWords::tr("mode %1").arg(words), ModeWords::tr("The scored order serves %1 % of the requests, stable by session; the rest is control.").arg(status.activationPercent) + set};
}

QString whyNoDial(const policy::LoadedWorkspace* workspace) {
    if (workspace == nullptr) return ModeWords::tr("No policy is open.");
    if (workspace->configFile.empty()) return ModeWords::tr("No gateway.toml is open; the mode stands there.");
    if (workspace->writtenConfig->routing.groups.empty()) return ModeWords::tr("There is no smart group yet that a mode could apply to. Add one on the groups page.");
    return {};
}

QString overrideWords(const policy::LoadedWorkspace& workspace) {
    QStringList set;
    for (const auto& item : workspace.overrides)
        if (item.path == "routing.mode" || item.path == "routing.activation_percent")
            set << format::text(item.variable) + QLatin1Char('=') + format::text(item.value);
    if (set.isEmpty()) return {};
    const auto& routing = workspace.config.config->routing;
    return ModeWords::tr("%1 is set in the environment and wins over the draft: it would run as %2.")
        .arg(set.join(ModeWords::tr(" and ")), modeWords(config::toString(routing.mode), routing.activationPercent));
}

}  // namespace signalbox::ui
