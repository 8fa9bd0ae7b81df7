// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"

#include <array>

namespace signalbox::table {

/// Collects what reading and linting have to say about one document and finds the place of each remark.
/// After kMostPerSeverity remarks of a severity only their number is kept: a broken emitter repeats itself.
class Remarks {
public:
    static constexpr std::size_t kMostPerSeverity = 1000;

    explicit Remarks(const JsonDocument& document) : m_document(document) {}

    void error(std::string code, std::string pointer, std::string message, std::string hint);
    void warning(std::string code, std::string pointer, std::string message, std::string hint);
    /// An advisory.
    void note(std::string code, std::string pointer, std::string message, std::string hint);

    [[nodiscard]] bool hasErrors() const { return m_counts[0] != 0; }
    /// Errors and warnings, in the order of the document.
    [[nodiscard]] Findings takeFindings();
    /// Notes, in the order of the document.
    [[nodiscard]] Findings takeAdvisories();

private:
    void add(Findings& to, Finding finding);
    void finish(Findings& findings, Severity severity);

    const JsonDocument& m_document;
    Findings m_findings;
    Findings m_advisories;
    std::array<std::size_t, 3> m_counts{};
};

}  // namespace signalbox::table
