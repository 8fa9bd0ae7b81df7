// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

#include <QString>

#include <vector>

/// The words in which the console speaks of refused requests; the same on every page.
namespace signalbox::ui::words {

/// "batch at 192.0.2.7 (OpenAI/JS 4.20.0)": what is known of it; "–" where nothing is.
[[nodiscard]] QString refusedClient(const engine::RefusalCount& refusal);

/// The one client whose requests are refused most, for whatever reasons. No name where no client is known.
struct MostRefused {
    QString client;
    quint64 count = 0;
    quint64 ofAll = 0;  ///< refused requests of all clients
};
[[nodiscard]] MostRefused mostRefused(const std::vector<engine::RefusalCount>& refusals);

/// An older gateway counts since it started.
[[nodiscard]] bool areSinceStart(const std::vector<engine::RefusalCount>& refusals);

}  // namespace signalbox::ui::words
