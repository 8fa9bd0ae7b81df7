// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/registry/import_report.h"
#include "router/config/registry/yaml_tree.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace signalbox::config {

/// What is shared while one registry is read.
struct RegistryContext {
    ImportReport report;
    RegistrySecrets secrets;
};

/// A scalar that may name an environment variable.
struct RegistryText {
    std::optional<std::string> variable;  ///< of `${NAME}` and `${NAME:-text}`
    std::optional<std::string> text;      ///< plain, or the default behind `:-`
    bool mixed = false;                   ///< `${NAME}` stands inside of other text, which that system does not expand
};
[[nodiscard]] RegistryText readReference(std::string_view scalar);

/// A number as YAML or as text in quotes: `0.5`, `"0.5"`, `1_000`.
[[nodiscard]] std::optional<double> readNumber(std::string_view scalar);
/// The decimal times 10^`shift`, rounded once.
[[nodiscard]] std::optional<double> readShifted(std::string_view scalar, int shift);

/// One map being read. What is asked for and stands there wrongly is reported as not carried; so is, by `finish`, what
/// nobody asked for. A text that holds a literal key counts as absent.
class RegistrySection {
public:
    RegistrySection(RegistryContext& context, const YamlNode& map, std::string path)
        : m_context(&context), m_map(&map), m_path(std::move(path)) {}

    [[nodiscard]] RegistryPlace here() const { return {m_path, m_map->at}; }
    [[nodiscard]] RegistryPlace placeOf(std::string_view key) const;
    [[nodiscard]] RegistryContext& context() const { return *m_context; }

    /// Null for an absent key and for one without a value.
    const YamlNode* take(std::string_view key);
    std::optional<std::string> text(std::string_view key);
    std::optional<double> number(std::string_view key, double min, double max);
    std::optional<std::uint64_t> whole(std::string_view key, std::uint64_t min, std::uint64_t max);
    std::optional<bool> boolean(std::string_view key);
    /// A list of texts, or one text.
    std::vector<std::pair<std::string, RegistryPlace>> texts(std::string_view key);

    void say(ImportOutcome outcome, std::string code, std::string_view key, std::string message, std::string hint = {}) const;
    /// Has no counterpart here; nothing when the key is absent.
    void leave(std::string_view key, std::string_view why, std::string hint = {});
    /// Means nothing to a gateway; known, and not worth a line of the report.
    void ignore(std::string_view key);
    void finish();

    /// A scalar that is not the text of a key, reported otherwise.
    std::optional<std::string> clean(const YamlNode& node, const RegistryPlace& place);
    /// A value as a message may show it.
    [[nodiscard]] std::string shown(std::string_view value) const;
    /// A key likewise, also in a path.
    [[nodiscard]] std::string keyText(std::string_view key) const;

private:
    RegistryContext* m_context;
    const YamlNode* m_map;
    std::string m_path;
    std::vector<std::string> m_known;
};

}  // namespace signalbox::config
