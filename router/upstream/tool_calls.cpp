// SPDX-License-Identifier: MIT
#include "router/upstream/tool_calls.h"

#include <nlohmann/json.hpp>
#include <simdjson.h>

namespace signalbox::upstream {

namespace {

constexpr std::size_t kKeepToolParserBytes = std::size_t{64} << 10;

std::optional<std::string> unescaped(std::string_view escaped) {
    std::string quoted;
    quoted.reserve(escaped.size() + 2);
    quoted.append("\"").append(escaped).append("\"");
    thread_local simdjson::dom::parser parser;
    std::string_view text;
    std::optional<std::string> out;
    if (parser.parse(quoted.data(), quoted.size()).get_string().get(text) == simdjson::SUCCESS) out.emplace(text);
    if (quoted.size() > kKeepToolParserBytes) parser = simdjson::dom::parser();
    return out;
}

}  // namespace

ToolCalls::Call* ToolCalls::find(Id id) {
    const auto found = m_calls.find(id);
    return found != m_calls.end() && !found->second.finished ? &found->second : nullptr;
}

void ToolCalls::saw(Id id, std::string_view name) {
    auto found = m_calls.find(id);
    if (found == m_calls.end()) {
        if (m_calls.size() >= kMostCalls) return;
        found = m_calls.try_emplace(id).first;
        ++m_open;
    }
    Call& call = found->second;
    if (name.size() > kMostNameBytes) return setUnreadable(id);
    if (!call.finished && call.name.empty()) call.name = name;
}

void ToolCalls::keep(Call& call, std::string_view more) {
    if (call.unreadable) return;
    if (call.arguments.size() + more.size() > kMostArgumentBytes || m_held + more.size() > kMostHeldBytes) {
        m_held -= call.arguments.size();
        call.arguments = {};
        call.unreadable = true;
        return;
    }
    call.arguments.append(more);
    m_held += more.size();
}

void ToolCalls::addEscaped(Id id, std::string_view piece) {
    Call* call = find(id);
    if (call == nullptr || piece.empty()) return;
    if (!call->escaped) {
        m_held -= call->arguments.size();
        call->arguments.clear();
        call->escaped = true;
    }
    keep(*call, piece);
}

void ToolCalls::setWhole(Id id, std::string_view json) {
    Call* call = find(id);
    if (call == nullptr || call->escaped) return;
    m_held -= call->arguments.size();
    call->arguments.clear();
    keep(*call, json);
}

void ToolCalls::setUnreadable(Id id) {
    if (Call* call = find(id)) call->unreadable = true;
}

void ToolCalls::finishChoice(std::uint64_t choice) {
    for (auto at = m_calls.lower_bound({choice, 0}); at != m_calls.end() && at->first.choice == choice; ++at) finish(at->second);
}

void ToolCalls::finishAll() {
    if (m_open == 0) return;
    for (auto& [id, call] : m_calls) finish(call);
}

void ToolCalls::finish(Call& call) {
    if (call.finished) return;
    call.finished = true;
    --m_open;
    judge(call);
    m_held -= call.arguments.size();
    call.arguments = {};
    call.name = {};
}

void ToolCalls::judge(const Call& call) {
    using Verdict = dispatch::OfferedTools::Verdict;
    const std::optional<std::string> text =
        call.unreadable ? std::nullopt : call.escaped ? unescaped(call.arguments) : std::optional(call.arguments);
    if (!text) {
        ++m_judged.unchecked;
        return;
    }
    // This reader takes numbers of any size, which simdjson refuses, but ends at a NUL and skips a byte order mark.
    if (text->find('\0') != std::string::npos || text->starts_with("\xEF\xBB\xBF") || !nlohmann::json::accept(*text)) return;
    ++m_judged.validJson;
    switch (m_offered ? m_offered->check(call.name, *text) : Verdict::unchecked) {
    case Verdict::fits: ++m_judged.fitSchema; break;
    case Verdict::unchecked: ++m_judged.unchecked; break;
    case Verdict::violates:
    case Verdict::unknownTool: break;
    }
}

dispatch::ToolOutcome ToolCalls::outcome() const {
    dispatch::ToolOutcome out = m_judged;
    out.called = count();
    out.unchecked += m_open;
    return out;
}

}  // namespace signalbox::upstream
