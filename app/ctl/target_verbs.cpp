// SPDX-License-Identifier: MIT
// What the on-call does to a running gateway: each verb is one call of its admin API, authorised and written down there.
#include "app/ctl/target_access.h"
#include "app/ctl/target_words.h"
#include "app/ctl/verbs.h"
#include "router/base/text.h"

#include <ostream>

namespace signalbox::ctl {
namespace {

constexpr std::size_t kMaxNoteBytes = 64 * 1024;

/// Does one thing to the target and says what came of it.
template <class Do, class Words>
int onTarget(const TargetArguments& arguments, Context& context, const Do& act, const Words& words) {
    auto access = accessOf(arguments, context);
    if (!access) return report(context, access.error());
    engine::AdminClient client(std::move(*access));
    const auto after = act(client);
    if (!after) return report(context, after.error());
    printAfter(*after, arguments, words(*after), context);
    return kOk;
}

config::RoutingMode modeOf(const std::string& word) {
    for (const auto mode : {config::RoutingMode::shadow, config::RoutingMode::active})
        if (config::toString(mode) == word) return mode;
    return config::RoutingMode::off;
}

int actOnEndpoint(const EndpointVerbOptions& options, engine::EndpointAction action, const char* words, Context& context) {
    return onTarget(
        options.to, context, [&](engine::AdminClient& client) { return client.act(options.endpoint, action); },
        [&](const engine::TargetStatus&) { return options.endpoint + words; });
}

}  // namespace

int runOff(const OffOptions& options, Context& context) {
    return onTarget(
        options.to, context, [&](engine::AdminClient& client) { return client.off(!options.undo); },
        [](const engine::TargetStatus& status) { return "smart routing is " + modeText(status); });
}

int runMode(const ModeOptions& options, Context& context) {
    if (options.percent && options.mode != "active") return reportUsage(context, "--percent says how many requests an active mode serves; it needs the mode active");
    const auto percent = options.percent ? std::optional(static_cast<std::uint8_t>(*options.percent)) : std::nullopt;
    return onTarget(
        options.to, context, [&](engine::AdminClient& client) { return client.setMode(modeOf(options.mode), percent); },
        [](const engine::TargetStatus& status) { return "smart routing is " + modeText(status); });
}

int runDrain(const EndpointVerbOptions& options, Context& context) {
    return actOnEndpoint(options, engine::EndpointAction::drain, " is drained: it gets no new attempts; what is in flight there finishes", context);
}

int runUndrain(const EndpointVerbOptions& options, Context& context) {
    return actOnEndpoint(options, engine::EndpointAction::undrain, " may get attempts again", context);
}

int runCircuit(const EndpointVerbOptions& options, Context& context) {
    const bool trip = options.action == "trip";
    return actOnEndpoint(options, trip ? engine::EndpointAction::trip : engine::EndpointAction::reset,
                         trip ? " rests for its cooling time: its circuit is open. Requests without another choice still go there; `drain` keeps them away, too" : " may be used at once: its circuit is closed", context);
}

int runNote(const NoteOptions& options, Context& context) {
    auto words = options.text == "-" ? readInput(context, "-", kMaxNoteBytes) : Result<std::string>(options.text);
    if (!words) return report(context, words.error());
    const std::string text(trimmed(std::string_view(*words).substr(0, words->find_last_not_of("\r\n") + 1)));
    if (text.empty()) return reportUsage(context, "a note needs words");
    return onTarget(
        options.to, context, [&](engine::AdminClient& client) { return client.note(text); }, [](const engine::TargetStatus&) { return std::string("the note is written down"); });
}

}  // namespace signalbox::ctl
