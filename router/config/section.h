// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <toml++/toml.h>
#include <vector>

namespace signalbox::config {

/// What the sections of one file share.
struct ReadContext {
    Findings findings;
    std::set<std::string> noted;  ///< schema paths that already have their note
};

/// A text of the file with its place.
struct LocatedText {
    std::string value;
    std::string path;
    TextPosition position;
};

/// The keys of an array or table that may hold anything of a kind, without our acting on it.
enum class Kind : std::uint8_t { any, text, boolean, integer, number, texts, table };

/// One TOML table being read. Every getter returns nullopt for an absent key and reports a value of the wrong type,
/// range or spelling with its dotted path and place. `finish` then warns of the keys that nobody asked for.
class Section {
public:
    Section(ReadContext& context, const toml::table& table, std::string path, std::string schemaPath,
            TextPosition position);

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] TextPosition position() const { return m_position; }
    /// Of the value if the key exists, else of the section.
    [[nodiscard]] TextPosition positionOf(std::string_view key) const;
    [[nodiscard]] std::string pathOf(std::string_view key) const;
    [[nodiscard]] bool has(std::string_view key) const { return m_table->contains(key); }

    std::optional<std::string> text(std::string_view key);
    /// A text, or a date or time of TOML as it would be written there.
    std::optional<std::string> textOrDate(std::string_view key);
    std::optional<bool> boolean(std::string_view key);
    std::optional<std::int64_t> integer(std::string_view key, std::int64_t min, std::int64_t max,
                                        std::string_view code = "out_of_range");
    /// Finite only; an integer is fine.
    std::optional<double> number(std::string_view key, double min, double max,
                                 std::string_view code = "out_of_range");
    /// 1 ms to 24 h.
    void milliseconds(std::string_view key, std::chrono::milliseconds& value, std::int64_t min = 1);
    std::vector<LocatedText> locatedTexts(std::string_view key);
    /// The same where a blank one is an error.
    std::vector<LocatedText> filledTexts(std::string_view key);
    std::vector<std::string> texts(std::string_view key);
    /// The name of an environment variable. A value that cannot be one is refused without repeating it, for it may
    /// be the secret itself.
    std::optional<std::string> environmentName(std::string_view key);
    std::vector<std::string> environmentNames(std::string_view key);
    /// The value of `E` whose word stands there; `values` are all of them, spelled by `toString`.
    template <class E>
    std::optional<E> word(std::string_view key, std::span<const E> values) {
        std::vector<std::string> words;
        for (const E value : values) words.emplace_back(toString(value));
        const auto index = wordIndex(key, words);
        return index ? std::optional(values[*index]) : std::nullopt;
    }
    /// Which of the words stands there.
    std::optional<std::size_t> wordIndex(std::string_view key, const std::vector<std::string>& words);

    std::optional<Section> section(std::string_view key);
    struct Child;
    /// The tables inside the table `key`, named by the operator, in the order of the file.
    std::vector<Child> children(std::string_view key);
    std::vector<Section> tableArray(std::string_view key);
    /// A table that another part reads, as one JSON object (see section_json.h).
    std::optional<std::string> rawTable(std::string_view key);
    /// `NAME = "text"` pairs of this section, in the order of the file; marks all of them as known.
    std::vector<std::pair<std::string, LocatedText>> allTexts();
    /// Of a section whose keys the operator names, in alphabetical order.
    [[nodiscard]] std::vector<std::string> keys() const;

    /// Known and kept in the file, but not acted on: one note for each such key of the format.
    void keep(std::string_view key, Kind kind = Kind::any);
    void finish();

    void report(Severity severity, std::string_view code, std::string_view key, std::string message,
                std::string hint = {});
    void reportAt(Severity severity, std::string_view code, const LocatedText& text, std::string message,
                  std::string hint = {});
    void reportHere(Severity severity, std::string_view code, std::string message, std::string hint = {});

private:
    const toml::node* find(std::string_view key);
    void wrongType(const std::string& path, const toml::node& node, std::string_view wanted);
    void checkKind(std::string_view key, Kind kind);
    bool firstTime(std::string_view key);

    ReadContext* m_context;
    const toml::table* m_table;
    std::string m_path;
    std::string m_schemaPath;
    TextPosition m_position;
    std::vector<std::string> m_known;
};

struct Section::Child {
    std::string id;
    Section section;
};

[[nodiscard]] TextPosition toPosition(const toml::source_region& region);
/// `path.key`, the key quoted where TOML would need quotes.
[[nodiscard]] std::string joinPath(std::string_view path, std::string_view key);
/// "Did you mean `x`?", or the known names, at most `most`, where none is near; empty when there are none.
[[nodiscard]] std::string didYouMean(std::string_view wanted, std::span<const std::string> known, std::size_t most = 8);
/// A value as a message may show it: short, quoted, on one line.
[[nodiscard]] std::string inQuotes(std::string_view value);

}  // namespace signalbox::config
