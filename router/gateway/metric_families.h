// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <prometheus/metric_family.h>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::gateway {

/// The families of one metrics page while they are put together. Series with the same labels are added up, since every
/// thread has its own; series come sorted by their labels.
class MetricFamilies {
public:
    using Label = std::pair<std::string_view, std::string_view>;
    using Labels = std::initializer_list<Label>;
    /// `name` ends in `_total`. A family that is only declared shows that it is known and has no series yet.
    void counter(std::string_view name, std::string_view help) { declare(name, help, prometheus::MetricType::Counter); }
    void gauge(std::string_view name, std::string_view help) { declare(name, help, prometheus::MetricType::Gauge); }
    void histogram(std::string_view name, std::string_view help) { declare(name, help, prometheus::MetricType::Histogram); }

    /// To the family declared last.
    void add(Labels labels, double value);

    template <const auto& kBounds, class Histogram>
    void add(Labels labels, const Histogram& cells) {
        prometheus::ClientMetric& metric = series(labels);
        if (metric.histogram.bucket.empty())
            beginBuckets(metric, std::vector<double>(std::begin(kBounds), std::end(kBounds)));
        std::uint64_t below = 0;
        for (std::size_t i = 0; i < metric.histogram.bucket.size(); ++i) {
            below += cells.count(i);
            metric.histogram.bucket[i].cumulative_count += below;
        }
        metric.histogram.sample_count += below;
        metric.histogram.sample_sum += cells.sum();
    }

    /// In the order of declaration.
    [[nodiscard]] std::string text() const;

private:
    struct Family {
        prometheus::MetricFamily head;
        std::map<std::vector<std::string>, prometheus::ClientMetric> series; ///< by label values
    };
    void declare(std::string_view name, std::string_view help, prometheus::MetricType type);
    static void beginBuckets(prometheus::ClientMetric& metric, const std::vector<double>& bounds);
    [[nodiscard]] prometheus::ClientMetric& series(Labels labels);

    std::vector<Family> m_families;
};

} // namespace signalbox::gateway
