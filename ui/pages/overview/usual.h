// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/usual.h"
#include "ui/theme/theme.h"

#include <QString>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace signalbox::ui {

/// What the overview watches.
enum class UsualTopic { traffic, errors, firstToken, speed, disagreement, gaps };
inline constexpr std::array kUsualTopics{UsualTopic::traffic, UsualTopic::errors, UsualTopic::firstToken,
                                         UsualTopic::speed,   UsualTopic::disagreement, UsualTopic::gaps};

/// One figure and the number of requests behind it. Requests a minute, shares in 0..1, milliseconds, tokens a second.
struct UsualReading {
    double value = 0;
    std::uint64_t sample = 0;
};
/// Nullopt where nothing was measured.
[[nodiscard]] std::optional<UsualReading> usualReading(UsualTopic topic, const evidence::TrafficWindow& window);

/// How a figure compares with the same time of the last four weeks.
struct UsualJudgement {
    std::optional<UsualReading> now;
    std::vector<double> before;  ///< of the weeks with enough requests to say something
    enum class Verdict { unknown, usual, worse, otherwise } verdict = Verdict::unknown;  ///< otherwise: unusual, but not worse
    [[nodiscard]] double low() const;
    [[nodiscard]] double high() const;
    [[nodiscard]] bool isAbove() const { return now && now->value > high(); }
};
[[nodiscard]] UsualJudgement judgeUsual(UsualTopic topic, const evidence::UsualReport& report);

/// Teams or endpoints by how bad the figure is, the worst first. Those with too few requests to be told from chance are
/// left out; shares are ranked by the lower end of their interval, so that a large part that fails beats a small one.
struct UsualPart {
    std::string name;
    UsualReading reading;
};
[[nodiscard]] std::vector<UsualPart> rankUsual(UsualTopic topic, const std::map<std::string, evidence::TrafficPart>& parts,
                                               const evidence::TimeRange& range);

/// What a figure shows.
struct UsualText {
    QString value;
    QString usual;  ///< "usual 1.2 – 1.9 %", or why there is no usual
    Tone tone = Tone::idle;
    QString team, endpoint;  ///< who stands out; empty when there is nobody to tell apart
    std::string worstEndpoint;
    bool operator==(const UsualText&) const = default;
};
[[nodiscard]] UsualText usualText(UsualTopic topic, const evidence::UsualReport& report);

[[nodiscard]] QString usualName(UsualTopic topic);
/// With its unit: "12.4 a minute", "6.1 %", "1.90 s", "38.2 tokens/s".
[[nodiscard]] QString usualValue(UsualTopic topic, double value);
/// "Errors 6.1 %, usual 0.9 – 1.2 %": for sentences and the attention list.
[[nodiscard]] QString usualPhrase(UsualTopic topic, const UsualJudgement& judgement);
/// Why nothing can be compared: "no usual yet: 3 days of history"; empty when it can.
[[nodiscard]] QString noUsualText(const evidence::UsualReport& report);
/// Answers the page's question.
[[nodiscard]] QString usualSentence(const evidence::UsualReport& report);

}  // namespace signalbox::ui
