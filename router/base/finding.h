// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace signalbox {

/// A place in a text file. Lines and columns count from 1, columns in Unicode code points; 0 means unknown.
struct TextPosition {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    bool operator==(const TextPosition&) const = default;
};

enum class Severity : std::uint8_t { error, warning, note };

/// One remark of a reader or linter about a document. `code` is stable and machine readable (`unlisted_role`).
/// `pointer` is a JSON pointer for JSON and a dotted path for TOML. `message` says what is wrong, `hint` what to do.
struct Finding {
    Severity severity = Severity::error;
    std::string code;
    std::string pointer;
    TextPosition position;
    std::string message;
    std::string hint;

    /// "FILE:LINE:COL: error: message (pointer) [code]. hint"
    [[nodiscard]] std::string text(std::string_view file) const;
    bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

[[nodiscard]] bool hasErrors(const Findings& findings);
[[nodiscard]] std::string_view toString(Severity severity);

}  // namespace signalbox
