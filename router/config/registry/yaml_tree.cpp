// SPDX-License-Identifier: MIT
#include "router/config/registry/yaml_tree.h"

#include "router/base/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

namespace signalbox::config {
namespace {

constexpr std::size_t kMaxDepth = 32;
constexpr std::size_t kMaxValues = 100'000;

/// Tags of YAML itself; `!!python/…` is none.
bool isStandardTag(std::string_view tag) {
    static constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
    static constexpr std::array<std::string_view, 8> kNames{"str", "int", "float", "bool", "null", "seq", "map", "timestamp"};
    if (tag.empty() || tag == "?" || tag == "!") return true;
    return tag.starts_with(kPrefix) && std::find(kNames.begin(), kNames.end(), tag.substr(kPrefix.size())) != kNames.end();
}

Finding refusal(std::string code, TextPosition at, std::string message, std::string hint) {
    return {Severity::error, std::move(code), {}, at, std::move(message), std::move(hint)};
}

/// Ends the parser from inside its callbacks; never leaves this file.
struct Refused {
    Finding finding;
};

/// Turns the parser's marks, which count bytes from 0, into places.
class Places {
public:
    explicit Places(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '\n') m_lines.push_back(i + 1);
            else if ((static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80) m_inside.push_back(i);
        }
    }
    [[nodiscard]] TextPosition at(const YAML::Mark& mark) const {
        if (mark.line < 0 || static_cast<std::size_t>(mark.line) >= m_lines.size()) return {};
        const std::size_t begin = m_lines[static_cast<std::size_t>(mark.line)];
        const auto bytes = static_cast<std::size_t>(std::max(mark.column, 0));
        // Counting along the line for each value would take the square of a long line's length.
        const auto first = std::lower_bound(m_inside.begin(), m_inside.end(), begin);
        const auto inside = static_cast<std::size_t>(std::lower_bound(first, m_inside.end(), begin + bytes) - first);
        return {static_cast<std::uint32_t>(mark.line) + 1, static_cast<std::uint32_t>(bytes - inside) + 1};
    }

private:
    std::vector<std::size_t> m_lines{0};
    std::vector<std::size_t> m_inside;  ///< bytes that continue a code point
};

class Builder final : public YAML::EventHandler {
public:
    explicit Builder(const Places& places) : m_places(places) {}

    YamlTree take() {
        if (!m_tree.root) m_tree.root = std::make_shared<YamlNode>();
        return std::move(m_tree);
    }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(node(YamlNode::Kind::null, mark, {}), anchor); }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
        auto made = node(YamlNode::Kind::scalar, mark, tag);
        made->text = value;
        add(std::move(made), anchor, tag == "?");
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = m_anchors.find(anchor);
        if (found == m_anchors.end())
            throw Refused{refusal("yaml_alias_in_itself", m_places.at(mark), "an alias stands inside of what it names", "Write the value out.")};
        put(found->second, m_places.at(mark), false);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
        open(node(YamlNode::Kind::list, mark, tag), anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
        open(node(YamlNode::Kind::map, mark, tag), anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Frame {
        std::shared_ptr<YamlNode> made;
        YAML::anchor_t anchor;
        std::optional<YamlMember> pending;  ///< a key that waits for its value
        bool pendingMerges = false;
        std::vector<YamlPtr> merges;
        std::unordered_map<std::string, std::size_t> places;  ///< of the keys among the members
    };

    std::shared_ptr<YamlNode> node(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag) {
        const TextPosition at = m_places.at(mark);
        if (!isStandardTag(tag))
            throw Refused{refusal("yaml_tag", at, "a value has a tag of its own, which only the program it was written for can read",
                                  "Remove the tag.")};
        if (++m_values > kMaxValues) throw Refused{tooMany(at)};
        auto made = std::make_shared<YamlNode>();
        made->kind = kind;
        made->at = at;
        return made;
    }

    static Finding tooMany(TextPosition at) {
        return refusal("yaml_too_many_values", at, "with its aliases written out the text holds more than 100,000 values",
                       "Split it, or write fewer aliases.");
    }

    void add(std::shared_ptr<YamlNode> made, YAML::anchor_t anchor, bool plain = false) {
        if (anchor != 0) m_anchors[anchor] = made;
        const TextPosition at = made->at;
        put(std::move(made), at, plain);
    }

    void open(std::shared_ptr<YamlNode> made, YAML::anchor_t anchor) {
        if (m_frames.size() >= kMaxDepth)
            throw Refused{refusal("yaml_too_deep", made->at, "values are nested more than 32 deep", "Check that it is the right file.")};
        if (!m_frames.empty() && m_frames.back().made->kind == YamlNode::Kind::map && !m_frames.back().pending) refuseKey(made->at);
        m_frames.push_back({std::move(made), anchor, {}, false, {}, {}});
    }

    void close() {
        Frame frame = std::move(m_frames.back());
        m_frames.pop_back();
        for (const YamlPtr& from : frame.merges) merge(frame, *from);
        YamlNode& made = *frame.made;
        for (const YamlPtr& item : made.items) made.size += item->size;
        for (const YamlMember& member : made.members) made.size += member.value->size;
        if (made.size > kMaxValues) throw Refused{tooMany(made.at)};
        // Only now: an alias inside of it must not find it.
        if (frame.anchor != 0) m_anchors[frame.anchor] = frame.made;
        const TextPosition at = made.at;
        put(std::move(frame.made), at, false);
    }

    void put(YamlPtr value, TextPosition at, bool plain) {
        if (m_frames.empty()) {
            m_tree.root = std::move(value);
            return;
        }
        Frame& frame = m_frames.back();
        if (frame.made->kind == YamlNode::Kind::list) {
            frame.made->items.push_back(std::move(value));
        } else if (!frame.pending) {
            if (value->kind != YamlNode::Kind::scalar) refuseKey(at);
            frame.pendingMerges = plain && value->text == "<<";
            frame.pending = YamlMember{value->text, at, nullptr};
        } else if (frame.pendingMerges) {
            frame.pending.reset();
            addMerge(frame, std::move(value), at);
        } else {
            frame.pending->value = std::move(value);
            addMember(frame);
        }
    }

    void addMember(Frame& frame) {
        YamlMember member = std::move(*frame.pending);
        frame.pending.reset();
        const auto [place, isNew] = frame.places.emplace(member.key, frame.made->members.size());
        if (isNew) {
            frame.made->members.push_back(std::move(member));
            return;
        }
        m_tree.duplicates.push_back({path() + shownKey(member.key), member.at});
        frame.made->members[place->second] = std::move(member);
    }

    void addMerge(Frame& frame, YamlPtr value, TextPosition at) {
        if (value->kind == YamlNode::Kind::map) {
            frame.merges.push_back(std::move(value));
            return;
        }
        const bool maps = value->kind == YamlNode::Kind::list &&
                          std::all_of(value->items.begin(), value->items.end(), [](const YamlPtr& item) { return item->kind == YamlNode::Kind::map; });
        if (!maps) throw Refused{refusal("yaml_merge", at, "a merge key (<<) takes maps only", "Name maps, like <<: *defaults.")};
        frame.merges.insert(frame.merges.end(), value->items.begin(), value->items.end());
    }

    /// Keys of the map's own win over merged ones, earlier merged ones over later.
    void merge(Frame& frame, const YamlNode& from) {
        m_values += from.members.size();
        if (m_values > kMaxValues) throw Refused{tooMany(frame.made->at)};
        for (const YamlMember& member : from.members)
            if (frame.places.emplace(member.key, frame.made->members.size()).second) frame.made->members.push_back(member);
    }

    [[noreturn]] static void refuseKey(TextPosition at) {
        throw Refused{refusal("yaml_key", at, "a key of a map must be a text", "Write NAME: value.")};
    }

    /// Of the map that is being read, with the dot for a key of it.
    [[nodiscard]] std::string path() const {
        std::string out;
        for (std::size_t i = 0; i + 1 < m_frames.size(); ++i) {
            const Frame& frame = m_frames[i];
            if (frame.made->kind == YamlNode::Kind::list) out += "[" + std::to_string(frame.made->items.size()) + "]";
            else out += (out.empty() ? "" : ".") + shownKey(frame.pending ? frame.pending->key : std::string());
        }
        return out.empty() ? out : out + ".";
    }

    const Places& m_places;
    YamlTree m_tree;
    std::vector<Frame> m_frames;
    std::map<YAML::anchor_t, YamlPtr> m_anchors;
    std::size_t m_values = 0;
};

/// The parser's own words where they hold nothing of the text.
std::string parserMessage(const std::string& said) {
    static const std::array kNaming{YAML::ErrorMsg::UNKNOWN_ANCHOR, YAML::ErrorMsg::INVALID_UNICODE, YAML::ErrorMsg::INVALID_ESCAPE,
                                    YAML::ErrorMsg::YAML_VERSION, YAML::ErrorMsg::KEY_NOT_FOUND};
    for (const char* begin : kNaming)
        if (said.starts_with(begin)) return begin;
    return said;
}

std::string withoutTail(std::string text) {
    text.resize(text.find_last_not_of(": ") + 1);
    return text;
}

}  // namespace

const YamlMember* YamlNode::find(std::string_view key) const {
    const auto found = std::find_if(members.begin(), members.end(), [&](const YamlMember& member) { return member.key == key; });
    return found == members.end() ? nullptr : &*found;
}

std::string shownKey(std::string_view key) {
    const auto isWordByte = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
    const auto digits = std::count_if(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
    const bool word = !key.empty() && key.size() <= 40 && digits <= 3 && std::all_of(key.begin(), key.end(), isWordByte);
    return word ? std::string(key) : "…";
}

tl::expected<YamlTree, Finding> readYaml(std::string_view text) {
    if (text.size() > kMaxYamlBytes)
        return tl::unexpected(refusal("too_large", {}, "the registry is larger than 1 MiB", "Check that it is the right file."));
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const Places places(text);
    if (const std::size_t good = validUtf8Prefix(text); good != text.size()) {
        YAML::Mark mark;
        const std::string_view before = text.substr(0, good);
        mark.line = static_cast<int>(std::count(before.begin(), before.end(), '\n'));
        mark.column = static_cast<int>(good - (before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1));
        return tl::unexpected(refusal("not_utf8", places.at(mark), "the registry is not UTF-8", "Save it as UTF-8."));
    }
    try {
        std::istringstream in{std::string(text)};
        YAML::Parser parser(in);
        Builder builder(places);
        if (!parser.HandleNextDocument(builder)) return builder.take();
        YamlTree tree = builder.take();
        Builder second(places);
        if (parser.HandleNextDocument(second) && second.take().root->kind != YamlNode::Kind::null)
            return tl::unexpected(refusal("yaml_documents", {}, "the text holds several documents", "Import them one by one."));
        return tree;
    } catch (const Refused& refused) {
        return tl::unexpected(refused.finding);
    } catch (const YAML::Exception& error) {
        return tl::unexpected(refusal("yaml_syntax", places.at(error.mark), "this is no YAML: " + withoutTail(parserMessage(error.msg)),
                                      "Correct the text there; indentation is with spaces."));
    }
}

}  // namespace signalbox::config
