// SPDX-License-Identifier: MIT
#include "app/ctl/callable_here.h"
#include "app/ctl/policy_files.h"
#include "app/ctl/verbs.h"
#include "router/base/text.h"
#include "router/classify/classify.h"
#include "router/classify/hints.h"
#include "router/policy/explain.h"
#include "router/policy/smart/request_headers.h"
#include "router/policy/smart/sizes.h"
#include "router/policy/smart/what_if.h"

#include <nlohmann/json.hpp>
#include <ostream>

namespace signalbox::ctl {
namespace {

constexpr std::size_t kMaxBodyBytes = std::size_t{32} << 20;

/// `K=V` with K as in the body's metadata or as the gateway's header.
Result<classify::CallerHints> parseHints(const std::vector<std::string>& given) {
    classify::CallerHints hints;
    for (const std::string& hint : given) {
        const auto equals = hint.find('=');
        std::string name = asciiLower(hint.substr(0, equals));
        constexpr std::string_view kHeaderPrefix = "x-signalbox-";
        if (name.starts_with(kHeaderPrefix)) name.erase(0, kHeaderPrefix.size());
        for (char& c : name)
            if (c == '-') c = '_';
        std::optional<std::string>* field = nullptr;
        if (name == "expected_length") field = &hints.expectedLength;
        else if (name == "category") field = &hints.category;
        else if (name == "input_tokens") field = &hints.inputTokens;
        if (field == nullptr || equals == std::string::npos)
            return fail(ErrorKind::badInput, "\"" + hint + "\" is not a hint", "--hint",
                        "Use expected_length=short|medium|long, category=code or input_tokens=N.");
        *field = hint.substr(equals + 1);
    }
    return hints;
}

/// As in a request such a hint counts as none, which at the command line is most often a slip of the finger.
void noteHintsThatCountAsNone(const classify::CallerHints& hints, std::ostream& err) {
    const auto note = [&](const char* name, const std::optional<std::string>& value, bool understood, const char* allowed) {
        if (value && !understood)
            err << "note: --hint " << name << '=' << *value << " counts as none, as it does in a request. " << allowed << '\n';
    };
    note("expected_length", hints.expectedLength, classify::parseLengthHint(hints.expectedLength).has_value(),
         "Allowed are short, medium and long.");
    note("category", hints.category, classify::parseCodeHint(hints.category), "Only code has a meaning.");
    note("input_tokens", hints.inputTokens, classify::parseTokensHint(hints.inputTokens).has_value(),
         "A whole number is needed.");
}

std::string cellText(const classify::RequestFeatures& features) {
    return std::string(toString(features.cell.workload)) + ", " + std::string(toString(features.cell.length)) + ", " +
           std::string(toString(features.cell.concurrency));
}

/// `group chat, shadow, recommends cloud:big by cost`.
std::string groupText(const policy::GroupDecision& decision, const policy::PolicySnapshot& snapshot) {
    const policy::smart::Group& group = snapshot.smart.groups()[decision.group];
    const policy::smart::Plan& plan = decision.plan;
    std::string text = "group " + group.id + ", " + std::string(toString(plan.facts.mode));
    if (plan.selected == plan.recommended) return text;
    const auto term = decidingTerm(plan.candidates[plan.recommended], plan.candidates[plan.selected], plan.weights);
    return text + ", recommends " + group.candidates[plan.recommended].endpointId + " by " + std::string(toString(term));
}

void printShort(std::ostream& out, const policy::PolicySnapshot& snapshot, const classify::RequestFeatures& features,
                const policy::RoutePlan& plan, std::size_t called, bool configured) {
    const auto& target = plan.targets[called];
    const auto& decision = plan.tableDecision;
    out << "preset    " << target.presetKey.value_or("none") << '\n';
    if (configured) out << "endpoint  " << target.endpointId() << '\n';
    out << "because   ";
    if (decision && decision->ruleIndex) out << "rule " << *decision->ruleIndex + 1;
    else if (decision && decision->presetKey) out << toString(decision->reason);
    else if (plan.naturalBy) out << "natural preset, by " << toString(*plan.naturalBy);
    else out << toString(plan.resolvedBy);
    if (plan.group) out << ", " << groupText(*plan.group, snapshot);
    out << '\n' << "cell      " << cellText(features) << '\n' << "coverage  " << toString(plan.coverage) << '\n';
}

/// Another gateway may have what is missing here.
std::string notCalledText(const policy::NotCallableHere& one) {
    return "A gateway in this environment would not call " + one.endpointId + ": " + one.why + ".";
}

/// Who asks, and how: what the gateway takes from token and headers.
struct Asker {
    const config::Principal* principal = nullptr;
    std::string id;
    std::optional<policy::smart::Profile> profile;
    std::optional<std::string> session;
};

Result<const config::Principal*> findPrincipal(const config::GatewayConfig& config, const std::string& id) {
    std::vector<std::string> known;
    for (const config::Principal& principal : config.principals) {
        if (principal.id == id) return &principal;
        known.push_back(principal.id);
    }
    // Whoever holds the gateway's own token, or needs none: they may do everything.
    if (id == "local" || id == "anonymous") return nullptr;
    const auto near = nearestName(id, known);
    return fail(ErrorKind::badInput, "there is no principal \"" + id + '"', "--principal",
                near ? "Did you mean \"" + *near + "\"?" : "Name one of [principals] in gateway.toml, or leave it out.");
}

Result<Asker> readAsker(const DecideOptions& options, const config::GatewayConfig& config) {
    Asker asker;
    asker.id = options.principal.empty() ? "local" : options.principal;
    const auto principal = findPrincipal(config, asker.id);
    if (!principal) return tl::unexpected(principal.error());
    asker.principal = *principal;
    const auto profile = policy::smart::parseProfileHeader(options.profile);
    if (!profile) return tl::unexpected(toError(profile.error(), "--profile"));
    asker.profile = *profile;
    const auto session = policy::smart::parseSessionHeader(options.session);
    if (!session) return tl::unexpected(toError(session.error(), "--session"));
    if (*session) asker.session.emplace(**session);
    if (asker.principal != nullptr && !asker.principal->mayPin && !options.pin.empty())
        return fail(ErrorKind::denied, "principal \"" + asker.id + "\" may not pin", "--pin",
                    "Leave --pin out, or set may_pin for this principal in gateway.toml.");
    return asker;
}

classify::CallerHints defaultHints(const config::Principal* principal) {
    if (principal == nullptr) return {};
    return {principal->defaultExpectedLength, principal->defaultCategory, principal->defaultInputTokens};
}

}  // namespace

int runDecide(const DecideOptions& options, Context& context) {
    const auto hints = parseHints(options.hints);
    if (!hints) return reportUsage(context, hints.error().text());
    std::optional<policy::Pin> pin;
    if (!options.pin.empty()) {
        auto parsed = policy::parsePin(options.pin);
        if (!parsed) return reportUsage(context, parsed.error().text());
        pin = std::move(*parsed);
    }
    noteHintsThatCountAsNone(*hints, context.err);
    const auto ready = readPolicy(context, options.files);
    if (!ready) return report(context, ready.error());
    auto body = readInput(context, options.request, kMaxBodyBytes);
    if (!body) return report(context, body.error());
    const auto asker = readAsker(options, *ready->snapshot->config);
    if (!asker) return report(context, asker.error());
    const auto dialect = options.edge == "anthropic" ? classify::Dialect::anthropic : classify::Dialect::openai;
    auto request = classify::classifyBody(dialect, *body, *hints, defaultHints(asker->principal), options.inFlight);
    if (!request) {
        Error error = request.error();
        error.where = inputName(options.request) + (error.where.empty() ? "" : ": " + error.where);
        return report(context, error);
    }
    const auto& features = request->features;
    policy::RequestContext asked{.pin = pin, .principal = asker->principal, .profile = asker->profile};
    asked.assignment = policy::smart::assign(asker->id, asker->session, options.requestId);
    asked.sizes = policy::smart::chatSizes(*body).sizes;
    std::optional<policy::GroupRefusal> refused;
    auto answer = policy::resolve(*ready->snapshot, features, asked, &refused);
    const DecisionHere here = decisionHere(*ready->snapshot, features, asked, std::move(answer), context.environment);
    const auto& plan = here.plan;
    const policy::GroupRefusal* refusal = refused ? &*refused : nullptr;
    if (options.json) {
        OrderedJson out = policy::explainJson(*ready->snapshot, features, plan, refusal);
        out["configured"] = ready->configured;
        policy::addNotCallable(out, here.notCalled);
        context.out << out.dump(2) << '\n';
    } else if (options.explain) {
        context.out << policy::explainText(*ready->snapshot, features, plan, refusal) << '\n';
        for (const policy::NotCallableHere& one : here.notCalled) context.out << notCalledText(one) << '\n';
        if (!options.inFlight)
            context.out << "Concurrency was not given: --in-flight 2 shows the decision beside one other request.\n";
        if (plan && plan->group)
            context.out << "Nothing was measured here: every candidate counts as ready, with its priors alone.\n";
        if (!ready->configured)
            context.out << "There is no configuration here, so the endpoint is a stand-in: the table decided alone.\n";
    } else if (plan) {
        printShort(context.out, *ready->snapshot, features, *plan, here.called, ready->configured);
        for (const policy::NotCallableHere& one : here.notCalled) context.err << "note: " << notCalledText(one) << '\n';
    }
    // The decision itself was made even where nothing can serve it, so a missing endpoint is bad input as well, not
    // an unreachable service: no service was asked.
    if (!plan) {
        const int code = report(context, plan.error());
        return plan.error().kind == ErrorKind::unavailable ? kBadInput : code;
    }
    return kOk;
}

}  // namespace signalbox::ctl
