// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/smart/sizes.h"

#include <optional>
#include <string>

namespace signalbox::ui {

/// A request as the form describes it. It becomes a body and hints and goes through the same reader as a pasted one, so
/// that both are understood alike.
struct FormFields {
    enum class Kind { freeChat, codeGen, structured, toolCall, summary };
    Kind kind = Kind::freeChat;
    std::string model;
    std::optional<std::uint64_t> outputCap;
    std::string lengthHint;  ///< short, medium, long; empty sends none
    std::uint32_t tools = 1;  ///< offered, with kind toolCall
    bool parallelTools = false;
    bool vision = false;
    std::uint64_t inputTokens = 0;  ///< said by the caller
    std::optional<std::uint32_t> inFlight;
    bool operator==(const FormFields&) const = default;
};

/// What the policy is asked about.
struct AskedRequest {
    classify::RequestFeatures features;
    policy::smart::Sizes sizes;  ///< estimates that planning reads
    bool isTyped = false;        ///< in the form: what a client would send in headers and body was said there
};

[[nodiscard]] Result<AskedRequest> fromForm(const FormFields& fields, const classify::CallerHints& principalHints);
/// A body in either dialect. Errors as classify::classifyBody: not a JSON object, a duplicate key.
[[nodiscard]] Result<AskedRequest> fromBody(classify::Dialect dialect, std::string_view body, const classify::CallerHints& principalHints,
                                            std::optional<std::uint32_t> inFlight);
/// A decision made earlier: its features, and the sizes that its group planned with. Content was never kept.
[[nodiscard]] AskedRequest fromRecord(const evidence::DecisionRecord& record);

}  // namespace signalbox::ui
