// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"
#include "router/gateway/tool_schema.h"

#include <map>
#include <mutex>
#include <string>

namespace signalbox::gateway {

/// The tools that a request's body offers, in either protocol's words: `tools[].function.parameters`,
/// `tools[].input_schema` and the older `functions[].parameters`. The body is looked at when the first call of an answer is
/// whole and not before, since most requests that offer tools are answered without one; a tool's schema is read when that
/// tool is called.
class BodyTools final : public dispatch::OfferedTools {
public:
    /// Of more, and of more text of tools, nothing is checked.
    static constexpr std::size_t kMostBodyBytes = std::size_t{8} << 20;
    static constexpr std::size_t kMostToolBytes = std::size_t{1} << 20;

    /// `body` must stay as it is until `forget` or the end of this.
    explicit BodyTools(std::string_view body) : m_body(body) {}
    /// The body is about to go. Calls that are whole later are unchecked, unless the tools were read before.
    void forget();
    [[nodiscard]] Verdict check(std::string_view tool, std::string_view arguments) const override;

private:
    struct Tool {
        std::string schema; ///< as written; empty when there is none
        bool isRead = false;
        std::shared_ptr<const ToolSchema> checker; ///< null when it cannot be read
    };
    void readBody() const;
    [[nodiscard]] std::shared_ptr<const ToolSchema> checkerOf(Tool& tool) const;

    mutable std::mutex m_mutex;
    mutable std::string_view m_body;
    mutable bool m_isRead = false;
    mutable bool m_isKnown = false; ///< what was offered; false when the body could not tell
    mutable std::map<std::string, Tool, std::less<>> m_tools;
    mutable std::uint64_t m_workLeft = ToolSchema::kMostWork; ///< for all calls in all answers to the request
};

} // namespace signalbox::gateway
