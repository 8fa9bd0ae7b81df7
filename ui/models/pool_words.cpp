// SPDX-License-Identifier: MIT
#include "ui/models/pool_words.h"

#include "ui/models/group_words.h"
#include "ui/models/word_table.h"
#include "ui/theme/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace signalbox::ui::words {

namespace {

struct PoolWords {
    Q_DECLARE_TR_FUNCTIONS(PoolWords)
};

constexpr std::array kRouter{
    Word{"fixed", QT_TRANSLATE_NOOP("words", "fixed weights")},
    Word{"routewise", QT_TRANSLATE_NOOP("words", "RouteWise")},
    Word{"greedy", QT_TRANSLATE_NOOP("words", "local first")},
    Word{"hybrid", QT_TRANSLATE_NOOP("words", "hybrid")},
};
constexpr std::array kRouterHelp{
    Word{"fixed", QT_TRANSLATE_NOOP("words", "Draws an endpoint by the weights of the file; a session stays with its endpoint.")},
    Word{"routewise", QT_TRANSLATE_NOOP("words", "Prices every endpoint for the request and draws from the fastest mix that a budget between the cheapest and the dearest allows.")},
    Word{"greedy", QT_TRANSLATE_NOOP("words", "Fills the local server as far as its measured limits allow and sends the rest to the cloud.")},
    Word{"hybrid", QT_TRANSLATE_NOOP("words", "Composes a local router and a cloud router. Experimental: it may change without notice.")},
};
constexpr std::array kExcluded{
    Word{"circuit_open", QT_TRANSLATE_NOOP("words", "its circuit is open")},
    Word{"endpoint_drained", QT_TRANSLATE_NOOP("words", "drained by an operator")},
    Word{"envelope_uncalibrated", QT_TRANSLATE_NOOP("words", "its quota has no price yet: too few requests seen")},
    Word{"quota_not_ready", QT_TRANSLATE_NOOP("words", "its quota is not known yet")},
    Word{"quota_exhausted", QT_TRANSLATE_NOOP("words", "its quota is used up")},
    Word{"no_free_slot", QT_TRANSLATE_NOOP("words", "no free slot")},
    Word{"out_of_scope", QT_TRANSLATE_NOOP("words", "out of the request's scope")},
    Word{"not_allowed", QT_TRANSLATE_NOOP("words", "the caller may not use it")},
    Word{"endpoint_not_allowed", QT_TRANSLATE_NOOP("words", "the caller may not use it")},
    Word{"provider_not_callable", QT_TRANSLATE_NOOP("words", "its provider cannot be called")},
    Word{"tried", QT_TRANSLATE_NOOP("words", "was tried already")},
    Word{"last_resort", QT_TRANSLATE_NOOP("words", "tried only because nothing else was left")},
};
constexpr std::array kMix{
    Word{"optimal", QT_TRANSLATE_NOOP("words", "the fastest mix within the budget")},
    Word{"single_provider", QT_TRANSLATE_NOOP("words", "one endpoint alone is the fastest within the budget")},
    Word{"cheapest_fallback", QT_TRANSLATE_NOOP("words", "no mix could be computed, so the cheapest one serves")},
    Word{"no_feasible_candidates", QT_TRANSLATE_NOOP("words", "no endpoint can take a request now")},
};
constexpr std::array kHedge{
    Word{"disabled", QT_TRANSLATE_NOOP("words", "off for this pool")},
    Word{"answered", QT_TRANSLATE_NOOP("words", "not needed: the first one answered in time")},
    Word{"not_acceptable", QT_TRANSLATE_NOOP("words", "not possible for this request")},
    Word{"no_backup", QT_TRANSLATE_NOOP("words", "not sent: no other endpoint would have been in time")},
    Word{"spend_cap", QT_TRANSLATE_NOOP("words", "not sent: the hourly cap on backups was reached")},
    Word{"refused", QT_TRANSLATE_NOOP("words", "refused before anything was sent")},
    Word{"lost", QT_TRANSLATE_NOOP("words", "sent, and the first one was faster")},
    Word{"won", QT_TRANSLATE_NOOP("words", "sent, and it answered first")},
    Word{"failed", QT_TRANSLATE_NOOP("words", "sent, and it failed")},
};
constexpr std::array kAdmission{
    Word{"admitted", QT_TRANSLATE_NOOP("words", "the local server takes it")},
    Word{"concurrency_capacity", QT_TRANSLATE_NOOP("words", "as many requests run as the local server may have")},
    Word{"token_capacity", QT_TRANSLATE_NOOP("words", "no room for its tokens in the local server's memory")},
    Word{"work_capacity", QT_TRANSLATE_NOOP("words", "too much work is waiting at the local server")},
    Word{"ttft_deadline", QT_TRANSLATE_NOOP("words", "its first token would come after the deadline")},
    Word{"tpot_capacity", QT_TRANSLATE_NOOP("words", "every answer would become too slow")},
    Word{"not_arrived", QT_TRANSLATE_NOOP("words", "it has not arrived yet")},
    Word{"baseline_all_api", QT_TRANSLATE_NOOP("words", "this policy sends everything to the cloud")},
    Word{"baseline_all_local", QT_TRANSLATE_NOOP("words", "this policy serves everything locally")},
    Word{"baseline_concurrency", QT_TRANSLATE_NOOP("words", "the local server is at the policy's number of requests")},
};
constexpr std::array kAffinityDropped{
    Word{"none", QT_TRANSLATE_NOOP("words", "the session had no endpoint yet")},
    Word{"kept", QT_TRANSLATE_NOOP("words", "the session stayed with its endpoint")},
    Word{"new", QT_TRANSLATE_NOOP("words", "the session begins here and will stay")},
};
constexpr std::array kBasis{
    Word{"recent", QT_TRANSLATE_NOOP("words", "measured in the last minutes")},
    Word{"prior", QT_TRANSLATE_NOOP("words", "measured earlier today")},
    Word{"none", QT_TRANSLATE_NOOP("words", "assumed: nothing was measured")},
};
constexpr std::array kPrediction{
    Word{"bucket", QT_TRANSLATE_NOOP("words", "from requests like it")},
    Word{"model", QT_TRANSLATE_NOOP("words", "from this model's requests")},
    Word{"global", QT_TRANSLATE_NOOP("words", "from all requests")},
    Word{"default", QT_TRANSLATE_NOOP("words", "assumed: too few requests seen")},
};
constexpr std::array kBilling{
    Word{"on_demand", QT_TRANSLATE_NOOP("words", "paid by the token")},
    Word{"quota", QT_TRANSLATE_NOOP("words", "paid by a quota")},
    Word{"concurrency", QT_TRANSLATE_NOOP("words", "paid by slots")},
};
constexpr std::array kKind{
    Word{"local", QT_TRANSLATE_NOOP("words", "local")},
    Word{"cloud", QT_TRANSLATE_NOOP("words", "cloud")},
};
constexpr std::array kCircuit{
    Word{"closed", QT_TRANSLATE_NOOP("words", "closed")},
    Word{"open", QT_TRANSLATE_NOOP("words", "open")},
    Word{"half_open", QT_TRANSLATE_NOOP("words", "probing")},
};
constexpr std::array kCause{
    Word{"consecutive_failures", QT_TRANSLATE_NOOP("words", "it failed several times in a row")},
    Word{"availability", QT_TRANSLATE_NOOP("words", "too few of its attempts succeeded")},
    Word{"rate_limited", QT_TRANSLATE_NOOP("words", "the provider limits the rate")},
    Word{"probe_failed", QT_TRANSLATE_NOOP("words", "the attempt after its rest failed again")},
    Word{"by_hand", QT_TRANSLATE_NOOP("words", "opened by an operator")},
};

}  // namespace

QString router(std::string_view word) { return lookUp(kRouter, word); }
QString routerHelp(std::string_view word) { return lookUp(kRouterHelp, word); }
bool isExperimental(std::string_view router) { return router == "hybrid"; }

QString excluded(std::string_view reason) {
    constexpr std::string_view kCapability = "capability:";
    if (reason.starts_with(kCapability)) return PoolWords::tr("lacks %1").arg(capability(reason.substr(kCapability.size())));
    for (const Word& entry : kExcluded)
        if (entry.word == reason) return lookUp(kExcluded, reason);
    return admission(reason);  // a local server refuses in the words of its admission
}

QString mixStatus(std::string_view status) { return lookUp(kMix, status); }

Tone mixTone(std::string_view status) {
    if (status == "optimal" || status == "single_provider") return Tone::clear;
    return status == "cheapest_fallback" ? Tone::caution : Tone::danger;
}

QString hedge(std::string_view word) { return lookUp(kHedge, word); }

Tone hedgeTone(std::string_view word) {
    if (word == "won" || word == "answered") return Tone::clear;
    if (word == "spend_cap" || word == "failed" || word == "refused") return Tone::caution;
    return word == "lost" ? Tone::info : Tone::idle;
}

QString admission(std::string_view reason) { return lookUp(kAdmission, reason); }
Tone admissionTone(std::string_view reason) { return reason == "admitted" || reason == "baseline_all_local" ? Tone::clear : Tone::caution; }

QString poolAffinity(std::string_view word) {
    constexpr std::string_view kDropped = "dropped:";
    if (word.starts_with(kDropped)) return PoolWords::tr("the session left its endpoint: %1").arg(excluded(word.substr(kDropped.size())));
    return lookUp(kAffinityDropped, word);
}

QString ttftBasis(std::string_view basis) { return lookUp(kBasis, basis); }
QString predictionSource(std::string_view source) { return lookUp(kPrediction, source); }
QString billing(std::string_view word) { return lookUp(kBilling, word); }
QString routeKind(std::string_view kind) { return lookUp(kKind, kind); }
QString circuit(std::string_view state) { return lookUp(kCircuit, state); }
QString openCause(std::string_view cause) { return lookUp(kCause, cause); }

QString usd(std::optional<double> dollars) {
    if (!dollars) return format::none();
    const double size = std::abs(*dollars);
    return QLocale().toString(*dollars, 'f', size >= 1 || size == 0 ? 2 : size >= 0.1 ? 4 : 6);
}

std::vector<int> percents(const std::vector<double>& shares) {
    std::vector<int> out(shares.size(), 0);
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (sum <= 0) return out;
    std::vector<std::pair<double, std::size_t>> rest;
    int left = 100;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double exact = 100 * shares[i] / sum;
        out[i] = static_cast<int>(exact);
        left -= out[i];
        rest.emplace_back(exact - out[i], i);
    }
    std::stable_sort(rest.begin(), rest.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (int i = 0; i < left; ++i) ++out[rest[static_cast<std::size_t>(i)].second];
    return out;
}

}  // namespace signalbox::ui::words
