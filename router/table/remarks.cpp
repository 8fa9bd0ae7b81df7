// SPDX-License-Identifier: MIT
#include "router/table/remarks.h"

#include <algorithm>
#include <utility>

namespace signalbox::table {
namespace {

void sortByPosition(Findings& findings) {
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::pair(a.position.line, a.position.column) < std::pair(b.position.line, b.position.column);
    });
}

}  // namespace

void Remarks::error(std::string code, std::string pointer, std::string message, std::string hint) {
    add(m_findings, {Severity::error, std::move(code), std::move(pointer), {}, std::move(message), std::move(hint)});
}

void Remarks::warning(std::string code, std::string pointer, std::string message, std::string hint) {
    add(m_findings, {Severity::warning, std::move(code), std::move(pointer), {}, std::move(message), std::move(hint)});
}

void Remarks::note(std::string code, std::string pointer, std::string message, std::string hint) {
    add(m_advisories, {Severity::note, std::move(code), std::move(pointer), {}, std::move(message), std::move(hint)});
}

void Remarks::add(Findings& to, Finding finding) {
    if (m_counts[static_cast<std::size_t>(finding.severity)]++ >= kMostPerSeverity) return;
    finding.position = m_document.positionOf(finding.pointer);
    to.push_back(std::move(finding));
}

void Remarks::finish(Findings& findings, Severity severity) {
    const std::size_t count = m_counts[static_cast<std::size_t>(severity)];
    if (count > kMostPerSeverity)
        findings.push_back({severity, "too_many_findings", "", {},
                            std::to_string(count - kMostPerSeverity) + " more findings of this severity are not listed",
                            "Correct the ones above and read the table again."});
}

Findings Remarks::takeFindings() {
    sortByPosition(m_findings);
    finish(m_findings, Severity::error);
    finish(m_findings, Severity::warning);
    return std::exchange(m_findings, {});
}

Findings Remarks::takeAdvisories() {
    sortByPosition(m_advisories);
    finish(m_advisories, Severity::note);
    return std::exchange(m_advisories, {});
}

}  // namespace signalbox::table
