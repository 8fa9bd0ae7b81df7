// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/import_models.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace signalbox::config {

/// Where in the registry something stands.
struct RegistryPlace {
    std::string path;
    TextPosition at;
};

/// Collects what became of everything. What is said of a place twice, since several routes inherit it, counts once.
class ImportReport {
public:
    void add(ImportOutcome outcome, std::string code, const RegistryPlace& place, std::string message, std::string hint = {});
    /// As `add`, but the same code and subject in many places makes one entry. `subject` is a key or the like.
    void addOnce(ImportOutcome outcome, std::string code, const std::string& subject, const RegistryPlace& place, std::string message,
                 std::string hint = {});
    /// In the order of the registry.
    [[nodiscard]] std::vector<ImportEntry> take();

private:
    std::vector<ImportEntry> m_entries;
    std::map<std::string, std::size_t> m_once;
    std::set<std::string> m_said;
};

/// Every literal key of a registry, so that no other text that holds one gets out. Texts below 8 bytes are no keys.
class RegistrySecrets {
public:
    void add(std::string_view key);
    [[nodiscard]] bool inside(std::string_view text) const;

private:
    std::set<std::string, std::less<>> m_keys;
};

}  // namespace signalbox::config
