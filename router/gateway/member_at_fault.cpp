// SPDX-License-Identifier: MIT
#include "router/gateway/member_at_fault.h"

#include "router/gateway/object_members.h"
#include "router/policy/smart/capability.h"

#include <algorithm>
#include <array>

namespace signalbox::gateway {

namespace {

using classify::Peculiarity;

constexpr auto kGrammarMembers =
    std::to_array<std::string_view>({"guided_json", "guided_regex", "guided_choice", "guided_grammar",
                                     "structured_outputs", "grammar", "json_schema", "response_format"});

bool isEmptyList(std::string_view value) {
    return value.starts_with('[') && value.find_first_not_of(" \t\r\n", 1) == value.size() - 1;
}

/// Names of the body's own members that say something, as they are written: no null, and no list of no tools.
std::vector<std::string_view> membersOf(std::string_view body) {
    std::vector<std::string_view> names;
    for (const ObjectMember& member : objectMembers(body, 0).value_or(std::vector<ObjectMember>())) {
        const auto text = [&](const ByteRange& range) { return body.substr(range.begin, range.end - range.begin); };
        const std::string_view key = text(member.key);
        const std::string_view name = key.substr(1, key.size() - 2);
        const std::string_view value = text(member.value);
        if (value == "null" || (name == "tools" && isEmptyList(value)))
            continue;
        names.push_back(name);
    }
    return names;
}

bool hasMember(const std::vector<std::string_view>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// `output_config.effort` is about output_config, and so are words that go on behind a member.
std::string_view memberIn(std::string_view words) {
    return words.substr(0, words.find_first_of(": ."));
}

std::string firstThat(const std::vector<std::string_view>& names, auto isIt) {
    const auto found = std::find_if(names.begin(), names.end(), isIt);
    return found == names.end() ? std::string() : std::string(*found);
}

} // namespace

std::string memberAtFault(std::string_view where, classify::Dialect dialect, std::string_view body) {
    if (where.starts_with('/'))
        return std::string(where.substr(1, where.find('/', 1) - 1));
    const std::vector<std::string_view> names = membersOf(body);
    if (where.find(' ') == std::string_view::npos && hasMember(names, where))
        return std::string(where);
    if (where == classify::fieldOf(Peculiarity::otherFields))
        return firstThat(names, [&](std::string_view name) { return !classify::knowsField(dialect, name); });
    if (where == classify::fieldOf(Peculiarity::grammar))
        return firstThat(names, [](std::string_view name) {
            return std::find(kGrammarMembers.begin(), kGrammarMembers.end(), name) != kGrammarMembers.end();
        });
    for (std::string_view rest = where; !rest.empty();) {
        const std::size_t comma = rest.find(", ");
        if (const std::string_view name = memberIn(rest.substr(0, comma)); hasMember(names, name))
            return std::string(name);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
    }
    // The older tools ask for the same.
    if (where == fieldOf(policy::smart::Capability::tools) && hasMember(names, "functions"))
        return "functions";
    // These may stand in the conversation as well.
    const bool isInMessages = where == classify::fieldOf(Peculiarity::audio) ||
                              where == classify::fieldOf(Peculiarity::thinking) ||
                              where == classify::fieldOf(Peculiarity::citations);
    return isInMessages && hasMember(names, "messages") ? "messages" : "";
}

namespace {

/// Whoever hears no `param`, as clients of the Anthropic edge do, finds the name in the words.
EdgeError withMemberNamed(EdgeError error) {
    if (error.message.find(error.param) == std::string::npos)
        error.message.insert(0, error.param + ": ");
    return error;
}

} // namespace

EdgeError planningError(const PlanAnswer& answer, classify::Dialect dialect, std::string_view body) {
    const Error& error = answer.plan.error();
    EdgeError out = toEdgeError(error);
    out.needsOperator = needsOperator(answer);
    if (error.kind != ErrorKind::badInput)
        return out;
    if (out.param.empty())
        out.param = memberAtFault(error.where, dialect, body);
    return withMemberNamed(std::move(out));
}

EdgeError attemptError(const dispatch::UpstreamFailure& failure, classify::Dialect dialect, std::string_view body) {
    EdgeError out = toEdgeError(failure);
    if (failure.where.empty())
        return out;
    if (out.param.empty())
        out.param = memberAtFault(failure.where, dialect, body);
    return withMemberNamed(std::move(out));
}

} // namespace signalbox::gateway
