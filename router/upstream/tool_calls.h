// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/adapter.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace signalbox::upstream {

/// The tool calls of one answer, put together from their pieces and judged when they are whole. Arguments are kept until
/// then and not a moment longer, and at most `kMostArgumentBytes` of one call and `kMostHeldBytes` of all.
///
/// In the outcome `unchecked` holds the calls of which nobody can say whether they fit: the tool has no schema or one that
/// cannot be read, the arguments were too long to keep or no JSON by design, or the answer broke off before their end.
/// Only of the first kind `validJson` says something, too.
class ToolCalls {
public:
    static constexpr std::size_t kMostArgumentBytes = std::size_t{256} << 10;
    static constexpr std::size_t kMostHeldBytes = std::size_t{1} << 20;
    /// More are neither counted nor kept.
    static constexpr std::size_t kMostCalls = 1024;
    /// Longer names are not kept; such calls are unchecked.
    static constexpr std::size_t kMostNameBytes = 1024;

    struct Id {
        std::uint64_t choice = 0, call = 0;
        auto operator<=>(const Id&) const = default;
    };

    ToolCalls() = default;
    explicit ToolCalls(std::shared_ptr<const dispatch::OfferedTools> offered) : m_offered(std::move(offered)) {}

    /// The call exists; a name once said stays. The others do nothing for a call that was never seen.
    void saw(Id id, std::string_view name);
    /// More of the arguments, as it stands between the quotes of a JSON string: pieces may end inside of an escape.
    void addEscaped(Id id, std::string_view piece);
    /// All of the arguments; pieces that come later replace them.
    void setWhole(Id id, std::string_view json);
    /// Arguments that are no JSON by design.
    void setUnreadable(Id id);
    void finishChoice(std::uint64_t choice);
    void finishAll();

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(m_calls.size()); }
    [[nodiscard]] dispatch::ToolOutcome outcome() const;

private:
    struct Call {
        std::string name;
        std::string arguments;
        bool escaped = false;
        bool unreadable = false;
        bool finished = false;
    };
    [[nodiscard]] Call* find(Id id);
    void keep(Call& call, std::string_view more);
    void finish(Call& call);
    void judge(const Call& call);

    std::shared_ptr<const dispatch::OfferedTools> m_offered;
    std::map<Id, Call> m_calls;
    std::size_t m_held = 0;
    std::uint32_t m_open = 0;
    dispatch::ToolOutcome m_judged;
};

}  // namespace signalbox::upstream
