// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/read.h"
#include "router/upstream/http_exchange.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace signalbox::upstream {

/// How long one reading of a page may take, from the name lookup to the last byte.
inline constexpr std::chrono::milliseconds kMetricsTimeout{2'000};

/// Where an engine's metrics page is and how to ask for it.
struct MetricsPage {
    std::vector<std::string> providers;  ///< all that name this page, asked once for them together
    std::string url;
    std::chrono::milliseconds interval{5'000};
    std::shared_ptr<const Upstream> upstream;
    std::string head;         ///< the request's bytes
    std::string versionHead;  ///< those of vLLM's `GET /version`, which stands beside its page
};

/// The page that a provider's `metrics_url` names. The provider's key and static headers go along only where the page
/// is at the very origin of its base URL: what is written for one host must not reach another.
/// Errors name the key: an address that cannot be used, `auto` without a base URL, a CA file that cannot be read.
/// The provider must name a page.
[[nodiscard]] Result<MetricsPage> makeMetricsPage(const config::Provider& provider,
                                                  const config::Environment& environment);

/// Pages that are asked by the same bytes at the same place become one, with the shortest of their intervals.
[[nodiscard]] std::vector<MetricsPage> withoutRepeats(std::vector<MetricsPage> pages);

}  // namespace signalbox::upstream
