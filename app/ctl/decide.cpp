// SPDX-License-Identifier: MIT
#include "app/ctl/policy_files.h"
#include "app/ctl/verbs.h"
#include "router/base/text.h"
#include "router/classify/hints.h"
#include "router/policy/explain.h"

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

void printShort(std::ostream& out, const classify::RequestFeatures& features, const policy::RoutePlan& plan,
                bool configured) {
    const auto& target = plan.targets.front();
    const auto& decision = plan.tableDecision;
    out << "preset    " << target.presetKey.value_or("none") << '\n';
    if (configured) out << "endpoint  " << target.endpointId() << '\n';
    out << "because   ";
    if (decision && decision->ruleIndex) out << "rule " << *decision->ruleIndex + 1;
    else if (decision && decision->presetKey) out << toString(decision->reason);
    else if (plan.naturalBy) out << "natural preset, by " << toString(*plan.naturalBy);
    else out << toString(plan.resolvedBy);
    out << '\n' << "cell      " << cellText(features) << '\n' << "coverage  " << toString(plan.coverage) << '\n';
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
    auto request = classify::classify(*body, *hints, {}, options.inFlight);
    if (!request) {
        Error error = request.error();
        error.where = inputName(options.request) + (error.where.empty() ? "" : ": " + error.where);
        return report(context, error);
    }
    const auto& features = request->features;
    const auto plan = policy::resolve(*ready->snapshot, features, {.pin = pin});
    if (options.json) {
        OrderedJson out = policy::explainJson(*ready->snapshot, features, plan);
        out["configured"] = ready->configured;
        context.out << out.dump(2) << '\n';
    } else if (options.explain) {
        context.out << policy::explainText(*ready->snapshot, features, plan) << '\n';
        if (!options.inFlight)
            context.out << "Concurrency was not given: --in-flight 2 shows the decision beside one other request.\n";
        if (!ready->configured)
            context.out << "There is no configuration here, so the endpoint is a stand-in: the table decided alone.\n";
    } else if (plan) {
        printShort(context.out, features, *plan, ready->configured);
    }
    // The decision itself was made even where nothing can serve it, so a missing endpoint is bad input as well, not
    // an unreachable service: no service was asked.
    if (!plan) {
        const int code = report(context, plan.error());
        return code == kUnreachable ? kBadInput : code;
    }
    return kOk;
}

}  // namespace signalbox::ctl
