// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/capacity/engine_metrics.h"

#include <map>
#include <memory>
#include <mutex>
#include <set>

namespace signalbox::capacity {

/// How reading one page goes.
struct EnginePageState {
    std::string url;  ///< empty: nobody reads a page of this provider, or its address cannot be used
    std::chrono::milliseconds interval{0};
    std::optional<EngineKind> engine;     ///< unset before the first reading
    std::optional<Steady> readAt;         ///< the last reading that succeeded
    std::optional<Error> lastError;       ///< of the last attempt; unset when it succeeded
    std::optional<Timestamp> failingSince;  ///< set exactly with `lastError`
    std::vector<std::string> models;      ///< the names on the page; an empty one where it names none
    bool operator==(const EnginePageState&) const = default;

    [[nodiscard]] bool isConfigured() const { return !url.empty() || lastError.has_value(); }
};

/// The last two readings of one provider's page. Thread safe; keep the pointer where the provider is known beforehand.
class EnginePage {
public:
    /// What the last reading said of a model. A page about a single model answers for every name: a server has one
    /// name on its page and may serve it under several. nullopt when nothing was read or several are there and not it.
    [[nodiscard]] std::optional<EngineMetrics> metrics(std::string_view model) const;
    /// The same for admission; see `capacity::liveLoad`.
    [[nodiscard]] std::optional<LiveLoad> liveLoad(std::string_view model, Steady now) const;
    [[nodiscard]] EnginePageState state() const;

    // For the one who reads the page:
    /// From now on readings are of this page. Another address forgets what the old one said.
    void follow(const std::string& url, std::chrono::milliseconds interval);
    /// True when the engine was started anew since the last reading, or nothing was read yet.
    bool record(EnginePageReading reading, Steady at);
    /// Of the engine, until it is started anew; nullopt if it does not say.
    void setVersion(std::optional<std::string> version);
    void failed(Error why, Timestamp at);
    /// Nobody reads it any more.
    void forget();

private:
    struct Model {
        EngineReading reading;
        EngineMetrics metrics;
    };
    // Both with the lock held.
    [[nodiscard]] const Model* find(std::string_view model) const;
    void clear();

    mutable std::mutex m_mutex;
    EnginePageState m_state;
    std::optional<double> m_startedAt;
    std::optional<std::string> m_version;
    std::vector<Model> m_models;
};

/// The pages of all providers, by provider id. Outlives policies. Thread safe.
class EngineMetricsBook {
public:
    /// Never null; a page that nobody reads has an empty state.
    [[nodiscard]] std::shared_ptr<EnginePage> of(std::string_view provider);
    /// Forgets what pages of other providers said.
    void keepOnly(const std::set<std::string, std::less<>>& providers);

private:
    std::mutex m_mutex;
    std::map<std::string, std::shared_ptr<EnginePage>, std::less<>> m_pages;
};

}  // namespace signalbox::capacity
