// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"
#include "router/base/json_document.h"

#include <chrono>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace signalbox::strategy {

/// Reads the known names out of one `router_params` object and keeps what was wrong with them: every unknown name
/// (`unknown_parameter`, with the nearest known one) and every senseless value (`bad_value`), each with the pointer
/// `PATH.NAME`. Absent parameters and null keep what `out` was. For .cpp files only: it includes all of nlohmann's JSON.
class ParameterReader {
public:
    /// `strategy` completes "… is not a parameter of STRATEGY". `json` must outlive the reader.
    ParameterReader(const OrderedJson& json, std::string path, std::string strategy);

    /// `rule` completes "NAME must be …".
    void number(const char* name, double& out, double least, double most, const char* rule);
    template <class Count>
    void count(const char* name, Count& out, std::uint64_t least, std::uint64_t most) {
        if (const auto read = whole(name, least, most)) out = static_cast<Count>(*read);
    }
    /// A span in the unit of the parameter's name, kept in the unit of `out`.
    template <class Unit, class Duration>
    void span(const char* name, Duration& out) {
        double read = std::chrono::duration<double, typename Unit::period>(out).count();
        const double most = std::chrono::duration<double, typename Unit::period>(std::chrono::duration<double>(kLongestS)).count();
        const double before = read;
        number(name, read, 0, most, "must be a positive number");
        if (read == before) return;
        const auto kept = rounded<Duration>(std::chrono::duration<double, typename Unit::period>(read));
        if (kept.count() <= 0) return report("bad_value", name, "must be a positive number, at least one of its unit");
        out = kept;
    }
    void flag(const char* name, bool& out);
    template <class Enum>
    void word(const char* name, Enum& out, std::initializer_list<std::pair<const char*, Enum>> words) {
        const OrderedJson* value = take(name);
        if (value == nullptr) return;
        std::string rule = "must be one of";
        for (const auto& [known, meaning] : words) {
            if (*value == known) {
                out = meaning;
                return;
            }
            rule += std::string(" \"") + known + "\"";
        }
        report("bad_value", name, rule);
    }

    /// The value of a known name, for what only one strategy reads; null when absent.
    [[nodiscard]] const OrderedJson* take(const char* name);
    [[nodiscard]] bool has(const char* name) const;
    void report(const char* code, const std::string& name, const std::string& rule,
                std::string hint = "Correct this value or leave it out");
    /// Names that no reader asked for; call it last.
    void reportUnknown();
    [[nodiscard]] const Findings& findings() const { return m_findings; }

private:
    /// Ten years: longer spans are typing errors, and must not overflow a clock.
    static constexpr double kLongestS = 10.0 * 366 * 86400;

    template <class Duration, class From>
    static Duration rounded(From from) {
        if constexpr (std::chrono::treat_as_floating_point_v<typename Duration::rep>) return Duration(from);
        else return std::chrono::round<Duration>(from);
    }
    std::optional<std::uint64_t> whole(const char* name, std::uint64_t least, std::uint64_t most);

    const OrderedJson& m_json;
    std::string m_path;
    std::string m_strategy;
    std::vector<std::string> m_known;
    Findings m_findings;
};

/// The JSON of a model's `router_params`; an empty object when there are none. The text comes from our own TOML reader.
[[nodiscard]] OrderedJson parametersOf(const std::string& json);

}  // namespace signalbox::strategy
