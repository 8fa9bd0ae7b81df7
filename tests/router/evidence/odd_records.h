// SPDX-License-Identifier: MIT
#pragma once

#include "tests/router/evidence/sample_records.h"

#include <array>
#include <cmath>
#include <limits>

namespace signalbox::test {

/// Records with anything in every member: texts that JSON, COPY or PostgreSQL's arrays must escape, bytes that are not
/// UTF-8, numbers that JSON cannot say. `gentle` leaves out the numbers that overflow where they are added up.
class OddRecords {
public:
    explicit OddRecords(std::uint64_t seed, bool gentle = false) : m_random(seed), m_gentle(gentle) {}

    [[nodiscard]] evidence::DecisionRecord next(Timestamp at) {
        using namespace evidence;
        DecisionRecord record = sampleRecord(at, m_count++);
        for (std::string* member : {&record.target, &record.environment, &record.clientRequestId, &record.principal, &record.team,
                                    &record.requestedModel, &record.resolvedBy, &record.policyHash, &record.tableSha256,
                                    &record.policyVersion, &record.mode, &record.reason, &record.nullCause, &record.naturalBy,
                                    &record.coverage, &record.endpointId, &record.whyNoFallback, &record.errorCode})
            if (chance(0.6)) *member = text();
        if (chance(0.2)) record.mode = "shadow";
        record.features.model = record.requestedModel;
        record.origin = static_cast<Origin>(pick(4));
        record.edge = static_cast<Edge>(pick(2));
        record.outcome = static_cast<Outcome>(pick(4));
        record.status = static_cast<int>(pick(600)) - 1;
        record.family = maybe(text());
        record.presetKey = maybe(text());
        record.ruleIndex = maybe(static_cast<std::uint32_t>(whole()));
        record.gapIndex = maybe(static_cast<std::uint32_t>(whole()));
        record.rules = {{static_cast<std::uint32_t>(whole()), text(), text()}};
        record.queueMs = number(), record.decideUs = number(), record.totalMs = number();
        record.firstContentMs = maybe(number());
        record.costUsd = maybe(number());
        record.inputTokens = maybe(whole()), record.cachedTokens = maybe(whole()), record.outputTokens = maybe(whole());
        record.simulated = chance(0.5);
        record.attempts.clear();
        for (std::size_t n = pick(4); n > 0; --n) record.attempts.push_back(attempt(record));
        if (chance(0.6)) record.group = group();
        return record;
    }

    [[nodiscard]] std::string text() {
        static const std::array<std::string, 20> kTexts{
            "", "plain", "tab\tin it", "new\nline", "carriage\rreturn", "back\\slash", "\\N", "\\.", "quote\"d", "{a,\"b\"}", "ends in \\",
            std::string("nul\0inside", 10), std::string("\0", 1), "\b\f\v\x01\x1f\x7f", "caf\xc3\xa9 \xf0\x9f\x9a\x82", "\xff\xfe not text",
            "cut \xe2\x82", "eight by", "exactly sixteen.", "longer than sixteen, then a \\"};
        std::string out = kTexts[pick(kTexts.size())];
        if (chance(0.2)) out += kTexts[pick(kTexts.size())];
        if (chance(0.05)) out.append(500, 'x');
        return out;
    }

private:
    bool chance(double share) { return m_random.unit() < share; }
    std::size_t pick(std::size_t count) { return static_cast<std::size_t>(m_random.unit() * static_cast<double>(count)); }
    template <class T>
    std::optional<T> maybe(T value) {
        return chance(0.7) ? std::optional(std::move(value)) : std::nullopt;
    }
    double number() {
        using Limits = std::numeric_limits<double>;
        static const std::array kNumbers{0.0, -0.0, 0.1, 1.0 / 3, -12.5, 1e-7, 123456.789, 1e21, 5e-324, Limits::quiet_NaN(), Limits::infinity(),
                                         -Limits::infinity(), Limits::max(), Limits::lowest()};
        return chance(0.5) ? 1000 * m_random.unit() : kNumbers[pick(kNumbers.size() - (m_gentle ? 2 : 0))];
    }
    std::uint64_t whole() {
        static const std::array<std::uint64_t, 5> kWhole{0, 1, 4'294'967'295, 9'223'372'036'854'775'807, 18'446'744'073'709'551'615U};
        return chance(0.5) ? pick(100'000) : kWhole[pick(kWhole.size())];
    }
    evidence::Attempt attempt(const evidence::DecisionRecord& record) {
        evidence::Attempt out;
        out.endpointId = chance(0.5) ? record.endpointId : text();
        out.role = static_cast<evidence::AttemptRole>(pick(4));
        out.outcome = static_cast<evidence::AttemptOutcome>(pick(4));
        out.status = static_cast<int>(pick(600));
        out.reason = text();
        out.startedMs = number(), out.endedMs = number();
        out.firstContentMs = maybe(number());
        out.inputTokens = maybe(whole()), out.outputTokens = maybe(whole());
        out.costUsd = maybe(number());
        return out;
    }
    evidence::RecordedGroup group() {
        evidence::RecordedGroup out;
        out.groupId = text(), out.profile = text(), out.affinity = text(), out.affinityFavourite = text(), out.decidingTerm = text();
        for (std::size_t n = pick(5); n > 0; --n)
            out.candidates.push_back({text(), chance(0.3) ? "provider_cooldown" : text(), number(), number(), number(), number(), number(), number(), {text(), text()}});
        const auto oneOfThem = [&] { return out.candidates.empty() || chance(0.2) ? text() : out.candidates[pick(out.candidates.size())].endpointId; };
        out.selected = oneOfThem(), out.recommended = oneOfThem();
        out.candidateCount = static_cast<std::uint32_t>(m_gentle ? pick(256) : whole());
        out.selectedScore = number(), out.recommendedScore = number();
        for (std::size_t n = pick(4); n > 0; --n) out.reasons.push_back(text());
        out.sessionAffinity = chance(0.5), out.shadowDisagreement = chance(0.5);
        out.bucket = static_cast<std::uint32_t>(pick(200)), out.activationPercent = static_cast<std::uint32_t>(pick(200));
        out.weights = {number(), number(), number(), number()};
        out.minLatencyMs = number(), out.maxLatencyMs = number(), out.minCostUsd = number(), out.maxCostUsd = number();
        out.inputTokens = whole(), out.outputTokens = whole();
        return out;
    }

    FastRandom m_random;
    bool m_gentle;
    std::uint64_t m_count = 0;
};

}  // namespace signalbox::test
