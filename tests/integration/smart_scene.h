// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace signalbox::test {

/// Two groups over the scene's upstream: `auto` whose first candidate the table governs, and `deep` the other way round.
inline std::string smartSections(const std::string& mode, int percent, const std::string& baseUrl,
                                 const std::string& more = {}) {
    const auto candidate = [](const char* group, const char* provider, const char* model, const char* rest) {
        return "\n[[routing.groups." + std::string(group) + ".candidates]]\nprovider = \"" + provider + "\"\nmodel = \"" +
               model + "\"\n" + rest;
    };
    return "\n[providers.alt]\nbase_url = \"" + baseUrl +
           "\"\nmodels = [\"alt-1\"]\n"
           "\n[providers.alt.pricing]\ninput_per_million = 1000.0\noutput_per_million = 2000.0\n"
           "\n[routing]\nmode = \"" +
           mode + "\"\nactivation_percent = " + std::to_string(percent) +
           "\n\n[routing.groups.g1]\naliases = [\"auto\"]\n" +
           candidate("g1", "up", "model-b", "quality = 0.6\nlatency_hint_ms = 2000\n") +
           candidate("g1", "alt", "alt-1", "quality = 0.9\nlatency_hint_ms = 300\n") +
           "\n[routing.groups.g2]\naliases = [\"deep\"]\ndefault_profile = \"quality\"\n" +
           candidate("g2", "alt", "alt-1", "quality = 0.7\n") + candidate("g2", "up", "model-b", "quality = 0.95\n") + more;
}

} // namespace signalbox::test
