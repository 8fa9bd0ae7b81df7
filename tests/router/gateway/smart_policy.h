// SPDX-License-Identifier: MIT
#pragma once

#include "tests/router/gateway/gateway_fixture.h"

namespace signalbox::test {

/// A group `auto` of two candidates over the fixture's providers: first `up:plain` (configured first, expensive), then
/// `other:elsewhere`, which every profile recommends. Neither model is the table's.
inline std::string smartRouting(const std::string& mode, int percent = 0, const std::string& more = {}) {
    return "\n[routing]\nmode = \"" + mode + "\"\nactivation_percent = " + std::to_string(percent) + "\n" + more +
           "\n[routing.groups.g]\naliases = [\"auto\", \"auto-2\"]\n"
           "\n[[routing.groups.g.candidates]]\nprovider = \"up\"\nmodel = \"plain\"\nquality = 0.5\n"
           "latency_hint_ms = 4000\n"
           "\n[[routing.groups.g.candidates]]\nprovider = \"other\"\nmodel = \"elsewhere\"\nquality = 0.9\n"
           "latency_hint_ms = 500\n"
           "\n[providers.up.pricing]\ninput_per_million = 10.0\noutput_per_million = 50.0\n"
           "\n[providers.other.pricing]\ninput_per_million = 1.0\noutput_per_million = 5.0\n";
}

inline FixtureOptions smartOptions(const std::string& mode, int percent = 0, const std::string& more = {}) {
    FixtureOptions options;
    options.models = {"plain"};
    options.more = smartRouting(mode, percent) + more;
    return options;
}

inline const std::string kAuto =
    R"({"model":"auto","max_tokens":100,"messages":[{"role":"user","content":"hello"}]})";

} // namespace signalbox::test
