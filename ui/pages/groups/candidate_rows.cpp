// SPDX-License-Identifier: MIT
#include "ui/pages/groups/candidate_rows.h"

#include "router/policy/smart/group.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace signalbox::ui {

namespace {

struct CandidateRowsWords {
    Q_DECLARE_TR_FUNCTIONS(CandidateRows)
};

constexpr std::uint32_t kMostHintMs = 600'000;

void addPrice(CandidateRow& row, const config::Provider& provider) {
    if (provider.modelPricing.contains(row.candidate.model)) row.priceOrigin = PriceOrigin::model;
    else if (provider.pricing) row.priceOrigin = PriceOrigin::provider;
    row.pricing = provider.pricingOf(row.candidate.model).value_or(policy::smart::kDefaultPricing);
}

template <class List>
auto byEndpoint(const List& list, const std::string& id) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.endpointId == id; });
    using Value = typename std::decay_t<decltype(*found)>;
    return found == list.end() ? std::optional<Value>() : std::optional<Value>(*found);
}

StateWords coolingWords(const engine::EndpointHealth& health) {
    const QString cause = health.cause.empty() ? CandidateRowsWords::tr("no cause was noted") : format::text(health.cause);
    if (health.circuit == "half_open")
        return {Tone::caution, CandidateRowsWords::tr("probing"), CandidateRowsWords::tr("One request is tried after cooling. It opened because of: %1").arg(cause)};
    const QString left = format::seconds(std::chrono::ceil<std::chrono::seconds>(health.coolsFor));
    return {Tone::caution, CandidateRowsWords::tr("cooling %1").arg(left), CandidateRowsWords::tr("Its circuit is open for another %1, because of: %2").arg(left, cause)};
}

}  // namespace

std::optional<MeasuredLatency> CandidateRow::median() const {
    if (!calls || !calls->totalP50Ms || calls->timedCalls == 0) return std::nullopt;
    return MeasuredLatency{true, *calls->totalP50Ms, calls->timedCalls};
}

std::optional<MeasuredLatency> CandidateRow::average() const {
    if (!health || health->signals.attempts == 0) return std::nullopt;
    return MeasuredLatency{false, health->signals.latencyEwmaMs, health->signals.attempts};
}

std::optional<MeasuredLatency> CandidateRow::measured() const {
    const auto byRange = median(), running = average();
    if (byRange && byRange->calls >= kEnoughCalls) return byRange;
    if (running && (!byRange || running->calls > byRange->calls)) return running;
    return byRange;
}

PriorVerdict CandidateRow::verdict() const {
    const auto m = measured();
    if (!m) return PriorVerdict::unmeasured;
    if (m->calls < kEnoughCalls) return PriorVerdict::tooFewCalls;
    const double hint = candidate.latencyHintMs;
    if (m->milliseconds > hint * (1 + kPriorTolerance)) return PriorVerdict::slower;
    if (m->milliseconds < hint * (1 - kPriorTolerance)) return PriorVerdict::faster;
    return PriorVerdict::holds;
}

std::uint32_t roundedHint(double milliseconds) {
    const double bounded = std::clamp(milliseconds, 1.0, double(kMostHintMs));
    const double unit = std::max(1.0, std::pow(10.0, std::floor(std::log10(bounded)) - 1));
    return static_cast<std::uint32_t>(std::clamp(std::round(bounded / unit) * unit, 1.0, double(kMostHintMs)));
}

std::optional<std::uint32_t> CandidateRow::measuredHint() const {
    const auto m = measured();
    if (!m) return std::nullopt;
    const std::uint32_t hint = roundedHint(m->milliseconds);
    return hint == candidate.latencyHintMs ? std::nullopt : std::optional(hint);
}

std::optional<CandidateRow::Reliability> CandidateRow::reliability() const {
    if (calls && calls->served + calls->failed > 0)
        return Reliability{double(calls->served) / double(calls->served + calls->failed), calls->served + calls->failed};
    if (health && health->signals.providerAttempts > 0)
        return Reliability{double(health->signals.providerSuccesses) / double(health->signals.providerAttempts), health->signals.providerAttempts};
    return std::nullopt;
}

// A pool is as well as the best of its endpoints; what was measured of it is its own, over all of them.
static std::optional<engine::EndpointHealth> poolHealth(const policy::smart::GroupCandidate& pool, std::span<const engine::EndpointHealth> health) {
    std::optional<engine::EndpointHealth> best;
    for (const policy::smart::PoolEndpoint& one : pool.pool) {
        auto found = byEndpoint(health, one.endpointId);
        const bool works = found && found->credentialReady && found->circuit == "closed";
        if (found && (!best || works)) best = std::move(found);
        if (works) break;
    }
    if (best) best->signals = {};
    return best;
}

std::vector<CandidateRow> candidateRows(const config::GatewayConfig& config, const config::SmartGroup& group,
                                        std::span<const engine::EndpointHealth> health, const std::optional<evidence::ShadowReport>& report) {
    std::vector<CandidateRow> rows;
    rows.reserve(group.candidates.size());
    const policy::smart::Group prepared = policy::smart::prepareGroup(config, group);
    for (std::size_t i = 0; i < group.candidates.size(); ++i) {
        CandidateRow& row = rows.emplace_back();
        row.index = i;
        row.candidate = group.candidates[i];
        row.endpointId = policy::smart::endpointIdOf(row.candidate);
        row.pricing = policy::smart::kDefaultPricing;
        if (const config::Provider* provider = config.findProvider(row.candidate.provider)) {
            row.whyNotCallable = provider->whyNotCallable();
            addPrice(row, *provider);
        }
        row.health = byEndpoint(health, row.endpointId);
        if (row.candidate.pool) {
            row.pricing = prepared.candidates[i].pricing;
            row.priceOrigin = PriceOrigin::pool;
            row.health = poolHealth(prepared.candidates[i], health);
            if (!prepared.candidates[i].providerCallable) row.whyNotCallable = "has no endpoint that can be called";
        }
        if (report) row.calls = byEndpoint(report->candidates, row.endpointId);
    }
    return rows;
}

std::array<int, 4> percentShares(const policy::smart::Weights& weights) {
    const std::array<double, 4> parts{weights.quality, weights.cost, weights.latency, weights.reliability};
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    std::array<int, 4> shares{};
    if (!(sum > 0)) return shares;
    std::array<double, 4> rest{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double percent = 100 * parts[i] / sum;
        shares[i] = static_cast<int>(std::floor(percent + 1e-9));
        rest[i] = percent - shares[i];
    }
    for (int left = 100 - std::accumulate(shares.begin(), shares.end(), 0); left > 0; --left) {
        const auto most = std::max_element(rest.begin(), rest.end());
        ++shares[static_cast<std::size_t>(most - rest.begin())];
        *most = -1;
    }
    return shares;
}

StateWords stateOf(const CandidateRow& row) {
    if (!row.candidate.enabled) return {Tone::idle, CandidateRowsWords::tr("disabled"), CandidateRowsWords::tr("It is switched off in this group and never chosen.")};
    if (!row.whyNotCallable.empty() && row.candidate.pool)
        return {Tone::danger, CandidateRowsWords::tr("not callable"), CandidateRowsWords::tr("The pool %1 has no endpoint that can be called.").arg(format::text(*row.candidate.pool))};
    if (!row.whyNotCallable.empty())
        return {Tone::danger, CandidateRowsWords::tr("not callable"), CandidateRowsWords::tr("Provider %1 %2.").arg(format::text(row.candidate.provider), format::text(row.whyNotCallable))};
    if (!row.whyNoHealth.isEmpty()) return {Tone::idle, CandidateRowsWords::tr("not known"), row.whyNoHealth};
    if (!row.health) return {Tone::idle, CandidateRowsWords::tr("not running"), CandidateRowsWords::tr("The running gateway does not have it: start the gateway, or apply the draft.")};
    if (!row.health->credentialReady && row.candidate.pool)
        return {Tone::danger, CandidateRowsWords::tr("no credential"), CandidateRowsWords::tr("No endpoint of the pool has the API key that its provider names.")};
    if (!row.health->credentialReady && !row.health->lacks.empty() && row.health->lacks != "api_key_env")
        return {Tone::danger, CandidateRowsWords::tr("not callable"), CandidateRowsWords::tr("Provider %1 cannot be called: look at its %2 in gateway.toml.").arg(format::text(row.candidate.provider), format::text(row.health->lacks))};
    if (!row.health->credentialReady)
        return {Tone::danger, CandidateRowsWords::tr("no credential"), CandidateRowsWords::tr("The API key that provider %1 names is not set in the gateway's environment.").arg(format::text(row.candidate.provider))};
    if (row.health->circuit != "closed") return coolingWords(*row.health);
    if (row.health->consecutiveFailures > 0)
        return {Tone::caution, CandidateRowsWords::tr("%n failure(s)", nullptr, static_cast<int>(row.health->consecutiveFailures)), CandidateRowsWords::tr("The last calls in a row failed; its circuit is still closed.")};
    return {Tone::clear, CandidateRowsWords::tr("ready"), row.candidate.pool ? CandidateRowsWords::tr("The circuit of one of its endpoints is closed.") : CandidateRowsWords::tr("Its circuit is closed.")};
}

QString verdictText(const CandidateRow& row) {
    const auto m = row.measured();
    if (!m) return CandidateRowsWords::tr("Nothing is measured yet; the prior alone decides.");
    const QString value = format::milliseconds(m->milliseconds);
    const QString prior = format::milliseconds(double(row.candidate.latencyHintMs));
    const QString what = m->isMedian ? CandidateRowsWords::tr("median of the range") : CandidateRowsWords::tr("moving average of the running gateway");
    const QString measured = CandidateRowsWords::tr("Measured %1 over %2 calls (%3)").arg(value, format::count(m->calls), what);
    switch (row.verdict()) {
    case PriorVerdict::unmeasured: break;
    case PriorVerdict::tooFewCalls: return CandidateRowsWords::tr("%1; fewer than %2 calls say little against the prior of %3.").arg(measured).arg(kEnoughCalls).arg(prior);
    case PriorVerdict::holds: return CandidateRowsWords::tr("%1; the prior of %2 holds.").arg(measured, prior);
    case PriorVerdict::slower:
        return CandidateRowsWords::tr("%1; %2 times the prior of %3.").arg(measured, QLocale().toString(m->milliseconds / row.candidate.latencyHintMs, 'f', 1), prior);
    case PriorVerdict::faster:
        return CandidateRowsWords::tr("%1; less than half of the prior of %2.").arg(measured, prior);
    }
    return measured;
}

QString toolCallsText(const ToolCallCount& calls) {
    const std::uint64_t checked = calls.checked();
    const auto unchecked = static_cast<int>(calls.unchecked);
    if (checked == 0 && unchecked == 0) return CandidateRowsWords::tr("No tool was called in the range.");
    if (checked == 0) return CandidateRowsWords::tr("None of %n tool call(s) could be checked.", nullptr, unchecked);
    const QString fits = CandidateRowsWords::tr("The arguments of %1 of %2 tool calls fit the schema that the client offered.")
                             .arg(format::count(calls.fit), format::count(checked));
    if (unchecked == 0) return fits;
    return fits + QLatin1Char(' ') + CandidateRowsWords::tr("%1 more could not be checked.").arg(format::count(calls.unchecked));
}

static QString usd(double perMillion) {
    QString text = QLocale().toString(perMillion, 'f', perMillion != 0 && perMillion < 0.1 ? 3 : 2);
    return text;
}

QString priceText(const CandidateRow& row) {
    return QStringLiteral("%1 / %2").arg(usd(row.pricing.inputPerMillion), usd(row.pricing.outputPerMillion));
}

QString priceSource(const CandidateRow& row, const QDate& today) {
    if (row.priceOrigin == PriceOrigin::pool) return CandidateRowsWords::tr("mean over the endpoints of the pool, by their weights");
    if (row.priceOrigin == PriceOrigin::assumed) return CandidateRowsWords::tr("assumed: nobody wrote a price");
    QString text = row.priceOrigin == PriceOrigin::model ? CandidateRowsWords::tr("price of the model") : CandidateRowsWords::tr("price of the provider");
    if (row.pricing.source) text = CandidateRowsWords::tr("%1, from %2").arg(text, format::text(*row.pricing.source));
    if (!row.pricing.effectiveAt) return CandidateRowsWords::tr("%1; its age is unknown").arg(text);
    const QString written = format::text(*row.pricing.effectiveAt);
    const QDate since = QDate::fromString(written.left(10), Qt::ISODate);
    if (!since.isValid()) return CandidateRowsWords::tr("%1; in effect since %2").arg(text, written);
    return CandidateRowsWords::tr("%1; in effect since %2, %n day(s) ago", nullptr, static_cast<int>(since.daysTo(today))).arg(text, written.left(10));
}

}  // namespace signalbox::ui
