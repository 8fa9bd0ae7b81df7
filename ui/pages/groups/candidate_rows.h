// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"
#include "router/evidence/history.h"
#include "router/policy/smart/profile.h"
#include "ui/bridge/bridge.h"
#include "ui/pages/groups/tool_calls.h"
#include "ui/theme/theme.h"

#include <QDate>
#include <QString>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace signalbox::ui {

/// From so many real calls on a measured latency is held against its prior.
inline constexpr std::uint64_t kEnoughCalls = 20;
/// A prior holds while the measured latency is within this share of it, either way.
inline constexpr double kPriorTolerance = 0.5;

struct MeasuredLatency {
    bool isMedian = true;  ///< of the range; else the moving average of the running gateway
    double milliseconds = 0;
    std::uint64_t calls = 0;
    bool operator==(const MeasuredLatency&) const = default;
};

enum class PriorVerdict { unmeasured, tooFewCalls, holds, slower, faster };
enum class PriceOrigin { model, provider, assumed, pool };

/// One candidate with everything that is known about it: what was written, and what was measured.
struct CandidateRow {
    std::size_t index = 0;  ///< in the group
    config::Candidate candidate;
    std::string endpointId;
    std::string whyNotCallable;  ///< goes on after the name of provider or pool; empty when it can be called
    config::Pricing pricing;
    PriceOrigin priceOrigin = PriceOrigin::assumed;
    std::optional<engine::EndpointHealth> health;                ///< nullopt while its gateway does not run it
    QString whyNoHealth;  ///< a sentence; empty unless that of the gateway that is looked at is left out
    std::optional<evidence::ShadowReport::Candidate> calls;      ///< real calls of the range
    [[nodiscard]] std::optional<MeasuredLatency> median() const;
    [[nodiscard]] std::optional<MeasuredLatency> average() const;
    /// What the prior is held against: the median with enough calls, else the average with enough, else the larger sample.
    [[nodiscard]] std::optional<MeasuredLatency> measured() const;
    [[nodiscard]] PriorVerdict verdict() const;
    /// What "use measured" writes: two significant digits, within the limits; nullopt while nothing is measured, or when
    /// it stands there already.
    [[nodiscard]] std::optional<std::uint32_t> measuredHint() const;
    /// Share of the provider's calls that succeeded, with how many there were.
    struct Reliability {
        double share = 0;
        std::uint64_t calls = 0;
    };
    [[nodiscard]] std::optional<Reliability> reliability() const;
    ToolCallCount toolCalls;
};

[[nodiscard]] std::vector<CandidateRow> candidateRows(const config::GatewayConfig& config, const config::SmartGroup& group,
                                                      std::span<const engine::EndpointHealth> health,
                                                      const std::optional<evidence::ShadowReport>& report);

[[nodiscard]] std::uint32_t roundedHint(double milliseconds);
/// Whole percents that total 100, by largest remainder (F66). All zero for weights without a sum.
[[nodiscard]] std::array<int, 4> percentShares(const policy::smart::Weights& weights);

/// Words for a row.
struct StateWords {
    Tone tone = Tone::idle;
    QString text;  ///< "cooling 24 s"
    QString why;   ///< in full, for hover and inspector
};
[[nodiscard]] StateWords stateOf(const CandidateRow& row);
[[nodiscard]] QString verdictText(const CandidateRow& row);
/// In full, for hover and inspector: how many tool calls fit their schema, of how many, and what could not be checked.
[[nodiscard]] QString toolCallsText(const ToolCallCount& calls);
/// "0.28 / 0.42"
[[nodiscard]] QString priceText(const CandidateRow& row);
/// Where a price comes from and how old it is.
[[nodiscard]] QString priceSource(const CandidateRow& row, const QDate& today);

}  // namespace signalbox::ui
