// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/features.h"
#include "router/config/types.h"
#include "router/policy/smart/formula.h"

#include <array>
#include <string>
#include <vector>

namespace signalbox::policy::smart {

/// What a request may need of a model.
enum class Capability : std::uint8_t { tools, parallelTools, structuredOutput, vision, contextTokens, maxOutputTokens };
inline constexpr std::array kCapabilities{Capability::tools,  Capability::parallelTools, Capability::structuredOutput,
                                          Capability::vision, Capability::contextTokens, Capability::maxOutputTokens};
/// The key of gateway.toml: `tools`, `parallel_tools`, `structured_output`, `vision`, `context_tokens`,
/// `max_output_tokens`.
[[nodiscard]] std::string_view toString(Capability capability);
/// The fields of a request that may ask for it, by commas: `tools`, `max_completion_tokens, max_tokens`, …
[[nodiscard]] std::string_view fieldOf(Capability capability);

/// A few of them, in their order; and, where it says what is lacking, what the target's protocol cannot carry.
class CapabilitySet {
public:
    void add(Capability capability) { m_bits |= bit(capability); }
    void addUncarried(const classify::PeculiaritySet& peculiarities) { m_uncarried.add(peculiarities); }
    [[nodiscard]] bool contains(Capability capability) const { return (m_bits & bit(capability)) != 0; }
    [[nodiscard]] const classify::PeculiaritySet& uncarried() const { return m_uncarried; }
    [[nodiscard]] bool empty() const { return m_bits == 0 && m_uncarried.empty(); }
    /// The words of its capabilities, then those of `classify::Peculiarity`.
    [[nodiscard]] std::vector<std::string> words() const;
    bool operator==(const CapabilitySet&) const = default;

private:
    static constexpr std::uint8_t bit(Capability capability) {
        return static_cast<std::uint8_t>(1U << static_cast<unsigned>(capability));
    }
    std::uint8_t m_bits = 0;
    classify::PeculiaritySet m_uncarried;
};

/// What one request needs.
struct Needs {
    CapabilitySet features;           ///< of the first four
    std::uint64_t contextTokens = 0;  ///< input (estimate) and the output that the request asks for
    std::uint64_t outputTokens = 0;   ///< 0 when it sets no limit: it then takes what there is
    classify::Dialect dialect = classify::Dialect::openai;  ///< of the request's body
    classify::PeculiaritySet peculiarities;                 ///< what only that dialect can say
    std::uint32_t stopSequences = 0;                        ///< of a Messages body
};

/// The input is what the caller says of it; else the planning size, which counts tool schemas, calls and the rest of the body
/// too, less what pictures, recordings and documents are made of, for those bytes are no tokens; without a planning size the
/// estimate from the text alone. How many tokens a picture is nobody knows here, so it is none.
[[nodiscard]] std::uint64_t plannedInputTokens(const classify::RequestFeatures& features, const Sizes& sizes);
[[nodiscard]] Needs needsOf(const classify::RequestFeatures& features, const Sizes& sizes);

/// What the model lacks. Nothing is lacking where nobody has said what it can do.
[[nodiscard]] CapabilitySet missing(const Needs& needs, const config::Capabilities& has);

}  // namespace signalbox::policy::smart
