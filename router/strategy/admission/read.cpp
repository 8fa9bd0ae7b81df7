// SPDX-License-Identifier: MIT
#include "router/strategy/admission/read.h"

#include "router/strategy/admission/validate.h"

#include <limits>
#include <nlohmann/json.hpp>

namespace signalbox::strategy::admission {
namespace {

/// Reads the members of one object and remembers the first that is missing or of a wrong type.
class Fields {
public:
    Fields(const OrderedJson& json, std::string record) : m_json(json), m_record(std::move(record)) {
        if (!json.is_object()) refuse("", "must be an object");
    }

    void number(const char* name, double& out) {
        const OrderedJson* value = find(name);
        if (value == nullptr || !value->is_number()) return refuse(name, "must be a number");
        out = value->get<double>();
    }

    void whole(const char* name, std::int64_t& out) {
        const OrderedJson* value = find(name);
        if (value == nullptr || !value->is_number_integer() || tooLarge(*value))
            return refuse(name, "must be a whole number");
        out = value->get<std::int64_t>();
    }

    void text(const char* name, std::string& out) {
        const OrderedJson* value = find(name);
        if (value == nullptr || !value->is_string()) return refuse(name, "must be a text");
        out = value->get<std::string>();
    }

    void optionalNumber(const char* name, double& out) {
        if (find(name) != nullptr) number(name, out);
    }
    void optionalNumber(const char* name, std::optional<double>& out) {
        if (find(name) != nullptr) number(name, out.emplace());
    }
    void optionalWhole(const char* name, std::int64_t& out) {
        if (find(name) != nullptr) whole(name, out);
    }

    [[nodiscard]] const std::optional<Finding>& fault() const { return m_fault; }

private:
    static bool tooLarge(const OrderedJson& value) {
        return value.is_number_unsigned() &&
               value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    }

    const OrderedJson* find(const char* name) const {
        if (!m_json.is_object()) return nullptr;
        const auto it = m_json.find(name);
        return it == m_json.end() || it->is_null() ? nullptr : &*it;
    }

    void refuse(const std::string& name, const char* rule) {
        if (m_fault) return;
        m_fault.emplace();
        m_fault->code = "bad_value";
        m_fault->pointer = name.empty() ? m_record : m_record + "." + name;
        m_fault->message = (name.empty() ? m_record : name) + " " + rule;
        m_fault->hint = "Correct this value";
    }

    const OrderedJson& m_json;
    std::string m_record;
    std::optional<Finding> m_fault;
};

template <class T>
tl::expected<T, Finding> checked(const Fields& fields, T value) {
    if (fields.fault()) return tl::unexpected(*fields.fault());
    if (auto fault = firstFault(value)) return tl::unexpected(*std::move(fault));
    return value;
}

tl::expected<Request, Finding> readRequest(const OrderedJson& json) {
    Request out;
    Fields fields(json, "candidate");
    fields.text("request_id", out.requestId);
    fields.number("arrival_s", out.arrivalS);
    fields.number("deadline_s", out.deadlineS);
    fields.whole("prompt_tokens", out.promptTokens);
    fields.whole("uncached_prefill_tokens", out.uncachedPrefillTokens);
    fields.whole("estimated_output_tokens", out.estimatedOutputTokens);
    fields.number("estimated_remote_cost", out.estimatedRemoteCost);
    if (fields.fault()) return tl::unexpected(*fields.fault());
    return out;
}

}  // namespace

tl::expected<Profile, Finding> readProfile(const OrderedJson& json) {
    Profile out;
    Fields fields(json, "profile");
    fields.number("prefill_tokens_per_s", out.prefillTokensPerS);
    fields.number("decode_tokens_per_s", out.decodeTokensPerS);
    fields.whole("max_running_requests", out.maxRunningRequests);
    fields.whole("max_reserved_tokens", out.maxReservedTokens);
    fields.number("max_work_s", out.maxWorkS);
    fields.optionalNumber("ttft_overhead_s", out.ttftOverheadS);
    fields.optionalNumber("decode_interference", out.decodeInterference);
    fields.optionalNumber("max_predicted_tpot_s", out.maxPredictedTpotS);
    fields.optionalNumber("starvation_s", out.starvationS);
    fields.optionalWhole("knapsack_window", out.knapsackWindow);
    return checked(fields, out);
}

tl::expected<Load, Finding> readLoad(const OrderedJson& json) {
    Load out;
    Fields fields(json, "snapshot");
    fields.whole("running_requests", out.runningRequests);
    fields.whole("reserved_tokens", out.reservedTokens);
    fields.whole("remaining_prefill_tokens", out.remainingPrefillTokens);
    fields.whole("remaining_decode_tokens", out.remainingDecodeTokens);
    return checked(fields, out);
}

tl::expected<std::vector<Request>, Finding> readRequests(const OrderedJson& json) {
    if (!json.is_array())
        return tl::unexpected(
            Finding{Severity::error, "bad_value", "candidates", {}, "candidates must be a list", "Correct this value"});
    std::vector<Request> out;
    for (const OrderedJson& one : json) {
        auto request = readRequest(one);
        if (!request) return tl::unexpected(std::move(request.error()));
        out.push_back(*std::move(request));
    }
    if (auto fault = firstFault(std::span<const Request>(out))) return tl::unexpected(*std::move(fault));
    return out;
}

}  // namespace signalbox::strategy::admission
