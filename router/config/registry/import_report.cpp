// SPDX-License-Identifier: MIT
#include "router/config/registry/import_report.h"

#include "router/base/text.h"

#include <algorithm>
#include <utility>

namespace signalbox::config {
namespace {

Severity severityOf(ImportOutcome outcome) {
    switch (outcome) {
    case ImportOutcome::carried:
    case ImportOutcome::present: return Severity::note;
    case ImportOutcome::changed:
    case ImportOutcome::notCarried: return Severity::warning;
    case ImportOutcome::conflict: return Severity::error;
    }
    return Severity::error;
}

}  // namespace

std::string_view toString(ImportOutcome outcome) {
    switch (outcome) {
    case ImportOutcome::carried: return "carried";
    case ImportOutcome::present: return "present";
    case ImportOutcome::changed: return "changed";
    case ImportOutcome::notCarried: return "not_carried";
    case ImportOutcome::conflict: return "conflict";
    }
    return "unknown";
}

std::size_t ModelsImport::count(ImportOutcome outcome) const {
    return static_cast<std::size_t>(
        std::count_if(report.begin(), report.end(), [&](const ImportEntry& entry) { return entry.outcome == outcome; }));
}

void ImportReport::add(ImportOutcome outcome, std::string code, const RegistryPlace& place, std::string message, std::string hint) {
    const std::string said = code + '\n' + place.path + '\n' + std::to_string(place.at.line) + ':' + std::to_string(place.at.column);
    if (!m_said.insert(said).second) return;
    m_entries.push_back(
        {outcome, {severityOf(outcome), std::move(code), place.path, place.at, std::move(message), std::move(hint)}, {}});
}

void ImportReport::addOnce(ImportOutcome outcome, std::string code, const std::string& subject, const RegistryPlace& place,
                           std::string message, std::string hint) {
    const auto known = m_once.find(code + '\n' + subject);
    if (known == m_once.end()) {
        const std::size_t before = m_entries.size();
        const std::string key = code + '\n' + subject;
        add(outcome, std::move(code), place, std::move(message), std::move(hint));
        if (m_entries.size() > before) m_once.emplace(key, before);
        return;
    }
    ImportEntry& entry = m_entries[known->second];
    const bool listed = entry.finding.position == place.at || std::find(entry.also.begin(), entry.also.end(), place.at) != entry.also.end();
    if (!listed) entry.also.push_back(place.at);
}

std::vector<ImportEntry> ImportReport::take() {
    std::stable_sort(m_entries.begin(), m_entries.end(), [](const ImportEntry& a, const ImportEntry& b) {
        const auto key = [](const ImportEntry& e) { return std::pair(e.finding.position.line, e.finding.position.column); };
        return key(a) < key(b);
    });
    return std::move(m_entries);
}

void RegistrySecrets::add(std::string_view key) {
    constexpr std::size_t kLeastBytes = 8;
    static constexpr std::string_view kScheme = "bearer ";
    std::string_view bare = trimmed(key);
    if (asciiLower(bare.substr(0, kScheme.size())) == kScheme) bare = trimmed(bare.substr(kScheme.size()));
    if (bare.size() >= kLeastBytes) m_keys.emplace(bare);
}

bool RegistrySecrets::inside(std::string_view text) const {
    return std::any_of(m_keys.begin(), m_keys.end(), [&](const std::string& key) { return text.find(key) != std::string_view::npos; });
}

}  // namespace signalbox::config
