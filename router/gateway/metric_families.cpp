// SPDX-License-Identifier: MIT
#include "router/gateway/metric_families.h"

#include <limits>
#include <prometheus/text_serializer.h>
#include <sstream>

namespace signalbox::gateway {

void MetricFamilies::declare(std::string_view name, std::string_view help, prometheus::MetricType type) {
    Family& family = m_families.emplace_back();
    family.head.name = name;
    family.head.help = help;
    family.head.type = type;
}

prometheus::ClientMetric& MetricFamilies::series(Labels labels) {
    std::vector<std::string> values;
    for (const Label& label : labels)
        values.emplace_back(label.second);
    const auto [found, isNew] = m_families.back().series.try_emplace(std::move(values));
    if (isNew) {
        for (const Label& label : labels)
            found->second.label.push_back({std::string(label.first), std::string(label.second)});
    }
    return found->second;
}

void MetricFamilies::add(Labels labels, double value) {
    prometheus::ClientMetric& metric = series(labels);
    if (m_families.back().head.type == prometheus::MetricType::Counter)
        metric.counter.value += value;
    else
        metric.gauge.value += value;
}

void MetricFamilies::beginBuckets(prometheus::ClientMetric& metric, const std::vector<double>& bounds) {
    for (const double bound : bounds)
        metric.histogram.bucket.push_back({0, bound});
    metric.histogram.bucket.push_back({0, std::numeric_limits<double>::infinity()});
}

std::string MetricFamilies::text() const {
    std::vector<prometheus::MetricFamily> families;
    for (const Family& family : m_families) {
        prometheus::MetricFamily& out = families.emplace_back(family.head);
        for (const auto& [values, metric] : family.series)
            out.metric.push_back(metric);
    }
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, families);
    return std::move(out).str();
}

} // namespace signalbox::gateway
