// SPDX-License-Identifier: MIT
#include "router/capacity/engine_metrics_book.h"

#include <algorithm>
#include <cmath>

namespace signalbox::capacity {

std::optional<EngineMetrics> EnginePage::metrics(std::string_view model) const {
    const std::lock_guard lock(m_mutex);
    const Model* found = find(model);
    return found ? std::optional(found->metrics) : std::nullopt;
}

std::optional<LiveLoad> EnginePage::liveLoad(std::string_view model, Steady now) const {
    const std::lock_guard lock(m_mutex);
    const Model* found = find(model);
    return found ? capacity::liveLoad(found->metrics, now, m_state.interval) : std::nullopt;
}

EnginePageState EnginePage::state() const {
    const std::lock_guard lock(m_mutex);
    return m_state;
}

void EnginePage::follow(const std::string& url, std::chrono::milliseconds interval) {
    const std::lock_guard lock(m_mutex);
    if (m_state.url != url) clear();
    m_state.url = url;
    m_state.interval = interval;
}

bool EnginePage::record(EnginePageReading reading, Steady at) {
    const std::lock_guard lock(m_mutex);
    const bool otherProcess = m_startedAt && reading.startedAt && std::abs(*m_startedAt - *reading.startedAt) > 1.0;
    bool anew = m_models.empty() || otherProcess || m_state.engine != reading.engine;
    for (const EngineReading& now : reading.models) {
        const auto before = std::ranges::find(m_models, now.model, [](const Model& model) { return model.reading.model; });
        anew = anew || (before != m_models.end() && restarted(before->reading, now));
    }
    if (anew) m_version.reset();

    std::vector<Model> models;
    m_state.models.clear();
    for (EngineReading& now : reading.models) {
        const auto before = std::ranges::find(m_models, now.model, [](const Model& model) { return model.reading.model; });
        const bool known = !anew && before != m_models.end();
        EngineMetrics metrics = metricsOf(now, known ? &before->reading : nullptr, known ? &before->metrics : nullptr);
        metrics.engine = reading.engine;
        metrics.version = m_version;
        metrics.readAt = at;
        m_state.models.push_back(now.model);
        models.push_back({std::move(now), std::move(metrics)});
    }
    m_models = std::move(models);
    m_startedAt = reading.startedAt;
    m_state.engine = reading.engine;
    m_state.readAt = at;
    m_state.lastError.reset();
    m_state.failingSince.reset();
    return anew;
}

void EnginePage::setVersion(std::optional<std::string> version) {
    const std::lock_guard lock(m_mutex);
    m_version = std::move(version);
    for (Model& model : m_models) model.metrics.version = m_version;
}

void EnginePage::failed(Error why, Timestamp at) {
    const std::lock_guard lock(m_mutex);
    if (!m_state.failingSince) m_state.failingSince = at;
    m_state.lastError = std::move(why);
}

void EnginePage::forget() {
    const std::lock_guard lock(m_mutex);
    clear();
}

void EnginePage::clear() {
    m_state = {};
    m_startedAt.reset();
    m_version.reset();
    m_models.clear();
}

const EnginePage::Model* EnginePage::find(std::string_view model) const {
    if (m_models.size() == 1) return &m_models.front();
    const auto found = std::ranges::find(m_models, model, [](const Model& known) { return std::string_view(known.reading.model); });
    return found == m_models.end() ? nullptr : &*found;
}

std::shared_ptr<EnginePage> EngineMetricsBook::of(std::string_view provider) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_pages.find(provider);
    if (found != m_pages.end()) return found->second;
    return m_pages.emplace(provider, std::make_shared<EnginePage>()).first->second;
}

void EngineMetricsBook::keepOnly(const std::set<std::string, std::less<>>& providers) {
    const std::lock_guard lock(m_mutex);
    for (const auto& [provider, page] : m_pages)
        if (!providers.contains(provider)) page->forget();
}

}  // namespace signalbox::capacity
