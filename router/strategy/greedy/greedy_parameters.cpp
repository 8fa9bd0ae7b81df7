// SPDX-License-Identifier: MIT
#include "router/strategy/greedy/greedy_parameters.h"

#include "router/base/text.h"
#include "router/strategy/admission/read.h"
#include "router/strategy/greedy/greedy_router.h"
#include "router/strategy/parameter_reader.h"
#include "router/strategy/routewise/parameters.h"
#include "router/strategy/routewise/routewise_router.h"

#include <algorithm>
#include <array>

namespace signalbox::strategy {
namespace {

constexpr std::array kMeasured{"prefill_tokens_per_s", "decode_tokens_per_s", "max_running_requests",
                               "max_reserved_tokens", "max_work_s"};
constexpr std::array kOptional{"ttft_overhead_s", "decode_interference", "max_predicted_tpot_s", "starvation_s",
                               "knapsack_window"};

/// The profile's own reader names the first fault; each is reported, and a value that is good for every field stands in
/// for it, until none is left.
void readProfile(ParameterReader& reader, admission::Profile& out) {
    OrderedJson json = OrderedJson::object();
    for (const char* name : kMeasured) {
        const OrderedJson* value = reader.take(name);
        if (value == nullptr)
            reader.report("missing_parameter", name, "is missing: local admission has no default for what a server can do",
                          "Measure it on this server and write it down");
        json[name] = value == nullptr ? OrderedJson(1) : *value;
    }
    for (const char* name : kOptional)
        if (const OrderedJson* value = reader.take(name)) json[name] = *value;
    while (true) {
        auto read = admission::readProfile(json);
        if (read) {
            out = *read;
            return;
        }
        const Finding& fault = read.error();
        const std::string field = fault.pointer.substr(fault.pointer.find('.') + 1);
        // The message begins with the field's name, as the report does.
        reader.report("bad_value", field, fault.message.substr(std::min(fault.message.size(), field.size() + 1)), fault.hint);
        json[field] = 1;
    }
}

void readPolicy(ParameterReader& reader, admission::Policy& out) {
    const OrderedJson* value = reader.take("local_policy");
    if (value == nullptr) return;
    if (!value->is_string()) return reader.report("bad_value", "local_policy", "must be a word");
    const auto policy = admission::parsePolicy(value->get<std::string>());
    if (policy) out = *policy;
    else reader.report("unknown_policy", "local_policy", "cannot be used: " + policy.error().message, policy.error().hint);
}

void readCloud(ParameterReader& reader, const std::string& path, GreedyParameters& out, Findings& findings) {
    const OrderedJson* value = reader.take("cloud");
    if (value == nullptr) return;
    if (!value->is_object()) return reader.report("bad_value", "cloud", "must be a table of RouteWise's parameters");
    out.cloudJson = value->dump();
    auto cloud = routewise::readParameters(*value, path + ".cloud");
    if (cloud) out.output = cloud->output;
    else findings.insert(findings.end(), cloud.error().begin(), cloud.error().end());
}

bool hasKind(const config::Model& model, config::RouteKind kind) {
    return std::any_of(model.routes.begin(), model.routes.end(), [&](const config::Route& route) { return route.kind == kind; });
}

Finding located(Severity severity, std::string code, std::string pointer, std::string message, std::string hint) {
    Finding out;
    out.severity = severity;
    out.code = std::move(code);
    out.pointer = std::move(pointer);
    out.message = std::move(message);
    out.hint = std::move(hint);
    return out;
}

/// `models.NAME` of `models.NAME.router_params`.
std::string modelPath(const PoolSpec& spec) { return spec.parametersPath.substr(0, spec.parametersPath.rfind('.')); }

void checkRoutes(const PoolSpec& spec, const GreedyParameters& parameters, Findings& findings) {
    if (!hasKind(spec.model, config::RouteKind::local))
        findings.push_back(located(Severity::error, "greedy_without_local", modelPath(spec),
                                   "greedy fills local servers first, and none of the routes is local",
                                   "Give a route kind = \"local\", or use routewise"));
    if (!hasKind(spec.model, config::RouteKind::cloud)) {
        findings.push_back(located(Severity::warning, "greedy_without_cloud", modelPath(spec),
                                   "what the local servers refuse is answered with 503, for no route is in the cloud",
                                   "Add a route with kind = \"cloud\""));
        return;
    }
    const config::Model cloud = cloudPartOf(spec.model, parameters);
    const Findings below = checkRouteWisePool({cloud, spec.parametersPath + ".cloud"});
    // Bad names and values were found when the parameters were read.
    for (const Finding& one : below)
        if (std::find(findings.begin(), findings.end(), one) == findings.end()) findings.push_back(one);
}

struct Read {
    GreedyParameters parameters;
    Findings findings;
};

Read readAll(const PoolSpec& spec) {
    Read out;
    const OrderedJson json = parametersOf(spec.model.parametersJson);
    ParameterReader reader(json, spec.parametersPath, "greedy");
    readProfile(reader, out.parameters.profile);
    readPolicy(reader, out.parameters.policy);
    reader.number("ttft_deadline_s", out.parameters.ttftDeadlineS, 1e-3, 86'400, "must be a number of seconds from 0.001 to 86400");
    reader.number("max_wait_s", out.parameters.maxWaitS, 0, kLongestGreedyWaitS, "must be a number of seconds from 0 to 600");
    Findings cloud;
    readCloud(reader, spec.parametersPath, out.parameters, cloud);
    reader.reportUnknown();
    out.findings = reader.findings();
    out.findings.insert(out.findings.end(), cloud.begin(), cloud.end());
    return out;
}

}  // namespace

tl::expected<GreedyParameters, Findings> readGreedyParameters(const PoolSpec& spec) {
    Read read = readAll(spec);
    if (!read.findings.empty()) return tl::unexpected(std::move(read.findings));
    return std::move(read.parameters);
}

config::Model cloudPartOf(const config::Model& model, const GreedyParameters& parameters) {
    config::Model out = restrictedTo(model, config::RouteKind::cloud);
    out.router = config::RouterKind::routewise;
    out.parametersJson = parameters.cloudJson;
    return out;
}

Findings checkGreedyPool(const PoolSpec& spec) {
    Read read = readAll(spec);
    checkRoutes(spec, read.parameters, read.findings);
    return std::move(read.findings);
}

}  // namespace signalbox::strategy
