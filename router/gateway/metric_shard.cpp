// SPDX-License-Identifier: MIT
#include "router/gateway/metric_shard.h"

#include <algorithm>

namespace signalbox::gateway {

namespace {

std::string_view providerPart(std::string_view endpointId) {
    return endpointId.substr(0, endpointId.find(':'));
}

template <class Enum>
std::size_t place(Enum value) {
    return static_cast<std::size_t>(value);
}

std::size_t coveragePlace(std::string_view word) {
    const auto found = std::find(kCoverageWords.begin(), kCoverageWords.end(), word);
    return std::min<std::size_t>(static_cast<std::size_t>(found - kCoverageWords.begin()), kCoverages - 1);
}

/// `workload/length/concurrency`, without allocating.
class CellText {
public:
    explicit CellText(const table::Cell& cell) {
        append(table::toString(cell.workload));
        append("/");
        append(table::toString(cell.length));
        append("/");
        append(table::toString(cell.concurrency));
    }
    [[nodiscard]] std::string_view view() const { return {m_text.data(), m_size}; }

private:
    void append(std::string_view word) {
        const std::size_t fits = std::min(word.size(), m_text.size() - m_size);
        std::copy_n(word.begin(), fits, m_text.begin() + static_cast<std::ptrdiff_t>(m_size));
        m_size += fits;
    }
    std::array<char, 64> m_text;
    std::size_t m_size = 0;
};

} // namespace

std::string_view toString(ToolVerdict verdict) {
    switch (verdict) {
    case ToolVerdict::fits:
        return "fits";
    case ToolVerdict::violates:
        return "violates";
    case ToolVerdict::unchecked:
        return "unchecked";
    }
    return "";
}

bool wasDispatched(const evidence::DecisionRecord& record) {
    return std::any_of(record.attempts.begin(), record.attempts.end(), [](const evidence::Attempt& attempt) {
        return attempt.outcome != evidence::AttemptOutcome::refused;
    });
}

void MetricShard::finished(const evidence::DecisionRecord& record, const capacity::DecisionCount* decision,
                           std::optional<double> firstByteMs) {
    if (decision != nullptr)
        routing.at({toString(decision->mode), decision->profile, decision->provider}).add(1);
    const std::string_view preset = record.presetKey ? std::string_view(*record.presetKey) : std::string_view();
    presets.at({preset}).decisions[coveragePlace(record.coverage)][place(record.outcome)].add(1);
    countGap(record);
    countEdge(record, decision);
    countAttempts(record);
    if (!record.endpointId.empty())
        countAnswer(record, firstByteMs);
    if (!record.resolvedBy.empty())
        decided.add(1);
    if (wasDispatched(record))
        dispatched.add(1);
    if (record.outcome == evidence::Outcome::served)
        served.add(1);
    decisionSeconds.observe(record.decideUs / 1e6);
}

void MetricShard::countGap(const evidence::DecisionRecord& record) {
    if (!record.gapIndex || record.coverage != "gap")
        return;
    const std::string_view family = record.family ? std::string_view(*record.family) : std::string_view();
    gaps.at({CellText(record.features.cell).view(), family}).add(1);
}

void MetricShard::countEdge(const evidence::DecisionRecord& record, const capacity::DecisionCount* decision) {
    EdgeCells& edge = edges[place(record.edge)];
    edge.requests[place(record.outcome)].add(1);
    edge.seconds[place(record.outcome)].observe(record.totalMs / 1e3);
    if (record.firstContentMs)
        edge.firstContent[record.features.stream ? 1 : 0].observe(*record.firstContentMs / 1e3);
    if (decision == nullptr || !mayDisagree(decision->mode))
        return;
    edge.compared.add(1);
    if (decision->shadowDisagreement)
        edge.disagreements.add(1);
}

void MetricShard::countAttempts(const evidence::DecisionRecord& record) {
    for (const evidence::Attempt& attempt : record.attempts) {
        ProviderCells& provider = providers.at({providerPart(attempt.endpointId)});
        provider.attempts[place(attempt.role)][place(attempt.outcome)].add(1);
        provider.costUsd.add(std::max(0.0, attempt.costUsd.value_or(0)));
    }
}

void MetricShard::countAnswer(const evidence::DecisionRecord& record, std::optional<double> firstByteMs) {
    ProviderCells& provider = providers.at({providerPart(record.endpointId)});
    if (firstByteMs)
        provider.firstByte.observe(*firstByteMs / 1e3);
    provider.inputTokens.add(record.inputTokens.value_or(0));
    provider.cachedTokens.add(record.cachedTokens.value_or(0));
    provider.writtenTokens.add(record.outputTokens.value_or(0));
    if (record.outputTokens)
        provider.outputTokens.observe(static_cast<double>(*record.outputTokens));
    const std::uint32_t judged = std::min(record.toolsCalled, record.toolsFitSchema + record.toolsUnchecked);
    provider.toolCalls[place(ToolVerdict::fits)].add(record.toolsFitSchema);
    provider.toolCalls[place(ToolVerdict::unchecked)].add(record.toolsUnchecked);
    provider.toolCalls[place(ToolVerdict::violates)].add(record.toolsCalled - judged);
}

} // namespace signalbox::gateway
