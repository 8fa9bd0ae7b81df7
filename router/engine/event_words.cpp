// SPDX-License-Identifier: MIT
#include "router/engine/event_words.h"

#include "router/base/text.h"
#include "router/engine/event_log.h"

namespace signalbox::engine {
namespace {

/// As the console shortens it.
std::string shortened(const std::string& hash) {
    return hash.substr(0, 12);
}

std::string modeText(const config::Routing& routing) {
    std::string text(config::toString(routing.mode));
    if (routing.mode == config::RoutingMode::active)
        text += " for " + std::to_string(routing.activationPercent) + " % of the requests";
    return text;
}

std::string signedText(const std::string& signedBy) {
    return signedBy.empty() ? std::string() : ", signed by " + signedBy;
}

std::string causeText(capacity::OpenCause cause) {
    switch (cause) {
    case capacity::OpenCause::consecutiveFailures:
        return "its attempts failed one after the other";
    case capacity::OpenCause::availability:
        return "too many of its attempts failed";
    case capacity::OpenCause::rateLimited:
        return "it limits our rate (429)";
    case capacity::OpenCause::probeFailed:
        return "its probe failed";
    case capacity::OpenCause::byHand:
    case capacity::OpenCause::none:
        break;
    }
    return "its attempts failed";
}

/// "45 s", "27 min", "3 h 5 min"
std::string timeText(std::chrono::milliseconds time) {
    const auto seconds = std::chrono::round<std::chrono::seconds>(time).count();
    if (seconds < 120)
        return std::to_string(seconds) + " s";
    const auto minutes = (seconds + 30) / 60;
    if (minutes < 120)
        return std::to_string(minutes) + " min";
    return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

} // namespace

std::string startWords(const std::string& policyHash, const std::string& signedBy, const config::Routing& routing) {
    return "The gateway started with policy " + shortened(policyHash) + signedText(signedBy) + ", smart routing " +
           modeText(routing) + ".";
}

std::string applyWords(const std::string& policyHash, const std::string& replaced, const std::string& signedBy) {
    if (policyHash == replaced)
        return "Policy " + shortened(policyHash) + signedText(signedBy) + " was applied once more.";
    return "Policy " + shortened(policyHash) + signedText(signedBy) + " replaced " + shortened(replaced) + ".";
}

std::string modeWords(const config::Routing& before, const config::Routing& now) {
    const std::string was = modeText(before), is = modeText(now);
    return was == is ? std::string() : "Smart routing went from " + was + " to " + is + ".";
}

std::string overrideModeWords(const config::Routing& before, const config::Routing& now) {
    return "Smart routing went by hand from " + modeText(before) + " to " + modeText(now) + ", until the next policy.";
}

std::string withOrigin(std::string words, std::string_view from) {
    if (from.empty())
        return words;
    return std::move(words) + " Asked for over the admin API from " + std::string(from) + ".";
}

Result<std::string> noteWords(std::string_view text) {
    std::string line(text.substr(0, validUtf8Prefix(text)));
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            c = ' ';
    line = trimmed(line);
    if (line.empty())
        return fail(ErrorKind::badInput, "the note says nothing", {}, "Write one sentence.");
    if (line.size() > EventLog::kMostWords)
        return fail(ErrorKind::badInput, "the note is longer than " + std::to_string(EventLog::kMostWords) + " bytes", {},
                    "Shorten it, or name a document that says the rest.");
    return line;
}

std::string shortMode(const config::Routing& routing) {
    std::string text(config::toString(routing.mode));
    if (routing.mode == config::RoutingMode::active)
        text += " " + std::to_string(routing.activationPercent) + " %";
    return text;
}

std::string overrideWords(const std::string& assignment) {
    return "The environment overrides the file: " + assignment + ".";
}

std::string killSwitchWords(bool on, const config::Routing& running) {
    return on ? "The kill switch turned smart routing off; it had been " + modeText(running) + "."
              : "The kill switch was released: smart routing is " + modeText(running) + ".";
}

std::string circuitWords(const capacity::CircuitChange& change, Timestamp now) {
    using End = capacity::CircuitChange::End;
    if (change.opened) {
        if (change.cause == capacity::OpenCause::byHand)
            return {};
        return "It gets no requests until " + toIso8601(now + change.coolsFor).substr(11, 8) + " UTC at least: " +
               causeText(change.cause) + ".";
    }
    const std::string again = "It gets requests again after " + timeText(change.wasOpenFor);
    switch (change.end) {
    case End::byHand:
        return {};
    case End::excused:
        return again + ": the failures were the requests' own.";
    case End::served:
        break;
    }
    if (change.failedProbes == 0)
        return again + ".";
    return again + " and " + std::to_string(change.failedProbes) + (change.failedProbes == 1 ? " failed probe." : " failed probes.");
}

} // namespace signalbox::engine
