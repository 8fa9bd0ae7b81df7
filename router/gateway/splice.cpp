// SPDX-License-Identifier: MIT
#include "router/gateway/splice.h"

#include "router/gateway/object_members.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

namespace signalbox::gateway {

namespace {

std::string quoted(std::string_view text) {
    const bool isPlain = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; });
    if (isPlain) { // as nearly all names are, and the library takes longer than all other splices
        std::string out;
        out.reserve(text.size() + 2);
        out += '"';
        out += text;
        return out += '"';
    }
    return OrderedJson(text).dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

template <class Names>
bool contains(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Collects changes of a text and applies them in one pass.
class Splicer {
public:
    explicit Splicer(std::string_view text) : m_text(text) {}
    void replace(std::size_t begin, std::size_t end, std::string with) {
        if (m_text.substr(begin, end - begin) != with)
            m_edits.push_back({{begin, end}, std::move(with)});
    }
    void insert(std::size_t at, std::string what) { m_edits.push_back({{at, at}, std::move(what)}); }
    void erase(ByteRange range) { m_edits.push_back({range, {}}); }

    [[nodiscard]] std::string result() {
        // What is inserted where something is erased comes before it.
        std::stable_sort(m_edits.begin(), m_edits.end(), [](const Edit& a, const Edit& b) {
            return std::tie(a.range.begin, a.range.end) < std::tie(b.range.begin, b.range.end);
        });
        std::string out;
        out.reserve(m_text.size() + 64 * m_edits.size());
        std::size_t at = 0;
        for (const Edit& edit : m_edits) {
            if (edit.range.begin < at)
                continue; // inside something already erased
            out.append(m_text, at, edit.range.begin - at).append(edit.with);
            at = edit.range.end;
        }
        return out.append(m_text, at);
    }

private:
    struct Edit {
        ByteRange range;
        std::string with;
    };
    std::string_view m_text;
    std::vector<Edit> m_edits;
};

class BodySplicer {
public:
    BodySplicer(std::string_view body, const classify::ClassifiedRequest& request, const SpliceWish& wish)
        : m_body(body), m_map(request.map), m_request(request), m_wish(wish), m_splicer(body) {}

    Result<std::string> run() {
        nameModel();
        dropEmptyTools();
        if (!m_broken)
            fitTokensField();
        if (!m_broken && m_wish.askForUsage && !m_request.features.includeUsage)
            askForUsage();
        consumeMetadata();
        if (!m_broken)
            eraseMembers();
        if (!m_broken)
            putInFront();
        if (m_broken) {
            return fail(ErrorKind::badInput, "the request body is not a well-formed JSON object", {},
                        "Send one JSON object as RFC 8259 describes it.");
        }
        return m_splicer.result();
    }

private:
    std::string_view at(const ByteRange& range) const {
        return m_body.substr(range.begin, range.end - range.begin);
    }

    /// The name of a member, which may be written with escapes.
    std::string keyOf(const ObjectMember& member) const {
        const std::string_view raw = at(member.key);
        if (raw.find('\\') == std::string_view::npos)
            return std::string(raw.substr(1, raw.size() - 2));
        const auto text = OrderedJson::parse(raw, nullptr, false);
        return text.is_string() ? text.get<std::string>() : std::string(raw);
    }

    void nameModel() {
        if (m_map.modelValue)
            m_splicer.replace(m_map.modelValue->begin, m_map.modelValue->end, quoted(m_wish.upstreamModel));
        else // a pin needs no model
            addMember("\"model\":" + quoted(m_wish.upstreamModel));
    }

    void dropEmptyTools() {
        if (!m_map.emptyToolsMember)
            return;
        m_doomed.emplace_back("tools");
        m_doomed.emplace_back("tool_choice");
        // Refused without tools, too. The other protocol has no such member, so there it is the upstream's to judge.
        if (m_request.features.dialect == classify::Dialect::openai)
            m_doomed.emplace_back("parallel_tool_calls");
    }

    /// Where both names are present the one that counts (the newer, unless it is null) keeps its value.
    void fitTokensField() {
        using config::TokensField;
        const bool hasOld = m_map.maxTokensKey.has_value();
        const bool hasNew = m_map.maxCompletionTokensKey.has_value();
        if (m_wish.tokensField == TokensField::asSent || (!hasOld && !hasNew))
            return;
        const bool keepNew =
            hasNew && (!hasOld || m_request.features.outputCapField != classify::OutputCapField::maxTokens);
        const auto& kept = keepNew ? *m_map.maxCompletionTokensKey : *m_map.maxTokensKey;
        const std::string_view oldName = "max_tokens", newName = "max_completion_tokens";
        if (m_wish.tokensField == TokensField::both) {
            if (!(hasOld && hasNew))
                duplicateTokens(kept.begin, keepNew ? oldName : newName);
            return;
        }
        const std::string_view wanted = m_wish.tokensField == TokensField::maxTokens ? oldName : newName;
        if (hasOld && hasNew)
            m_doomed.emplace_back(keepNew ? oldName : newName);
        m_splicer.replace(kept.begin, kept.end, quoted(wanted));
    }

    void duplicateTokens(std::size_t keyBegin, std::string_view otherName) {
        const auto* members = topLevel();
        if (members == nullptr)
            return;
        for (const ObjectMember& member : *members) {
            if (member.key.begin != keyBegin)
                continue;
            m_splicer.insert(member.value.end, "," + quoted(otherName) + ":" + std::string(at(member.value)));
        }
    }

    void askForUsage() {
        if (!m_map.streamOptionsValue) {
            addMember(R"("stream_options":{"include_usage":true})");
            return;
        }
        const auto& range = *m_map.streamOptionsValue;
        const auto members = objectMembers(m_body, range.begin);
        if (!members) { // null, or something the upstream may judge
            if (m_body.substr(range.begin, range.end - range.begin) == "null") {
                m_splicer.replace(range.begin, range.end, "{\"include_usage\":true}");
            }
            return;
        }
        for (const ObjectMember& member : *members) {
            if (keyOf(member) != "include_usage")
                continue;
            m_splicer.replace(member.value.begin, member.value.end, "true");
            return;
        }
        m_splicer.insert(range.begin + 1,
                         members->empty() ? "\"include_usage\":true" : "\"include_usage\":true,");
    }

    /// Classification has found what is ours there.
    void consumeMetadata() {
        if (!m_map.metadataMember)
            return;
        const auto& member = *m_map.metadataMember;
        for (const auto& cut : m_map.cuts) {
            if (cut.begin > member.begin && cut.end < member.end)
                m_splicer.erase({cut.begin, cut.end});
            else if (cut.begin <= member.begin && cut.end >= member.end) // with a comma, which other changes may take, too
                m_doomed.emplace_back("metadata");
        }
    }

    void eraseMembers() {
        if (m_doomed.empty())
            return;
        const auto* members = topLevel();
        if (members == nullptr)
            return;
        std::vector<std::size_t> indexes;
        for (std::size_t i = 0; i < members->size(); ++i) {
            if (contains(m_doomed, keyOf((*members)[i])))
                indexes.push_back(i);
        }
        for (const ByteRange& range : erasures(*members, indexes))
            m_splicer.erase(range);
        m_nothingLeft = indexes.size() == members->size();
    }

    void addMember(std::string member) {
        m_front.append(m_front.empty() ? "" : ",").append(member);
    }

    /// A comma follows only where a member of the client's own stays.
    void putInFront() {
        if (m_front.empty())
            return;
        const std::size_t begin = m_body.find_first_not_of(" \t\r\n", m_body.find('{') + 1);
        if (begin >= m_body.size()) {
            m_broken = true;
            return;
        }
        if (m_body[begin] != '}' && !m_nothingLeft)
            m_front += ',';
        m_splicer.insert(begin, std::move(m_front));
    }

    /// Scanned only for the rare bodies that need it.
    const std::vector<ObjectMember>* topLevel() {
        if (!m_members)
            m_members = objectMembers(m_body, std::min(m_body.find('{'), m_body.size()));
        if (!m_members)
            m_broken = true;
        return m_members ? &*m_members : nullptr;
    }

    std::string_view m_body;
    const classify::BodyMap& m_map;
    const classify::ClassifiedRequest& m_request;
    const SpliceWish& m_wish;
    Splicer m_splicer;
    std::vector<std::string_view> m_doomed; ///< keys of top-level members that go
    std::string m_front;                    ///< members that are added
    std::optional<std::vector<ObjectMember>> m_members;
    bool m_nothingLeft = false; ///< of the client's own members
    bool m_broken = false;
};

} // namespace

Result<std::string> spliceBody(std::string_view body, const classify::ClassifiedRequest& request,
                               const SpliceWish& wish) {
    return BodySplicer(body, request, wish).run();
}

} // namespace signalbox::gateway
