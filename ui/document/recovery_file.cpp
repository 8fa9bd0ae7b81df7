// SPDX-License-Identifier: MIT
#include "ui/document/recovery_file.h"

#include "router/base/file.h"
#include "router/base/hashing.h"

#include <QLockFile>
#include <QRandomGenerator>
#include <QString>

#include <nlohmann/json.hpp>

namespace signalbox::ui {

namespace fs = std::filesystem;
using Json = nlohmann::json;

static constexpr int kVersion = 1;
static constexpr unsigned kOwnerOnly = 0600;
static constexpr std::size_t kMaxRecoveryBytes = std::size_t{512} << 20;
static constexpr std::size_t kNameDigits = 16;

static std::string stemOf(const fs::path& tableFile, const fs::path& configFile) {
    return sha256Hex(tableFile.string() + '\n' + configFile.string()).substr(0, kNameDigits);
}

// Drawn, not counted: the name of a process that is gone must not come again while its draft waits.
static fs::path newName(const std::string& stem) {
    return stem + '-' + QByteArray::number(QRandomGenerator::system()->generate64(), 16).rightJustified(kNameDigits, '0').toStdString() + ".json";
}

/// The lock of a kept draft; null while another console holds it, or when none can be had.
static std::unique_ptr<QLockFile> lockOf(const fs::path& path) {
    auto lock = std::make_unique<QLockFile>(QString::fromStdU16String(path.u16string()) + QStringLiteral(".lock"));
    lock->setStaleLockTime(0);  // a console may run for weeks; only the end of its process frees it
    if (!lock->tryLock(0)) return nullptr;
    return lock;
}

RecoveryFile::RecoveryFile(const fs::path& folder, const fs::path& tableFile, const fs::path& configFile)
    : m_folder(folder), m_tableFile(tableFile), m_configFile(configFile), m_path(folder / newName(stemOf(tableFile, configFile))) {}

RecoveryFile::~RecoveryFile() = default;

static Json toJson(const std::string& path, const std::string& base, const std::string& draft) {
    return {{"path", path}, {"base_sha256", sha256Hex(base)}, {"base", base}, {"draft", draft}};
}

static bool read(const Json& json, const std::string& path, std::string& base, std::string& draft) {
    if (json.at("path").get<std::string>() != path) return false;
    base = json.at("base").get<std::string>();
    draft = json.at("draft").get<std::string>();
    return sha256Hex(base) == json.at("base_sha256").get<std::string>();
}

std::optional<Recovery> RecoveryFile::readIn(const fs::path& path) const {
    const auto bytes = readFile(path, kMaxRecoveryBytes);
    if (!bytes) return std::nullopt;
    try {
        const Json json = Json::parse(*bytes);
        if (json.at("version").get<int>() != kVersion) return std::nullopt;
        Recovery recovery;
        recovery.at = Timestamp(std::chrono::microseconds(json.at("at_us").get<std::int64_t>()));
        if (!ui::read(json.at("table"), m_tableFile.string(), recovery.base.table, recovery.draft.table)) return std::nullopt;
        if (!ui::read(json.at("config"), m_configFile.string(), recovery.base.config, recovery.draft.config)) return std::nullopt;
        return recovery;
    } catch (const Json::exception&) {
        return std::nullopt;  // not of ours, or of a disk that failed
    }
}

std::optional<Recovery> RecoveryFile::adopt() {
    const std::lock_guard lock(m_mutex);
    const std::string stem = stemOf(m_tableFile, m_configFile);
    std::optional<Recovery> newest;
    std::error_code code;
    for (fs::directory_iterator at(m_folder, code), end; !code && at != end; at.increment(code)) {
        const fs::path& path = at->path();
        if (path.extension() != ".json" || !path.filename().string().starts_with(stem)) continue;
        auto owned = lockOf(path);  // before it is read: its owner may be writing
        if (!owned) continue;
        auto recovery = readIn(path);
        if (!recovery || (newest && newest->at >= recovery->at)) continue;
        newest = std::move(recovery);
        m_path = path;
        m_lock = std::move(owned);
    }
    return newest;
}

Result<void> RecoveryFile::keep(std::uint64_t number, const std::optional<Recovery>& recovery) {
    const std::lock_guard lock(m_mutex);
    if (m_letGo || number < m_served) return {};
    m_served = number;
    std::error_code code;
    if (!recovery) {
        if (m_lock) fs::remove(m_path, code);
        m_lock.reset();
        return {};
    }
    fs::create_directories(m_folder, code);
    if (!code) fs::permissions(m_folder, fs::perms::owner_all, code);
    if (code) return fail(ErrorKind::unavailable, "unsaved changes cannot be kept: " + code.message(), m_folder.string(), "Save your changes; check who owns the folder.");
    if (!m_lock) m_lock = lockOf(m_path);
    if (!m_lock) return fail(ErrorKind::unavailable, "unsaved changes cannot be kept: no lock can be made", m_folder.string(), "Save your changes; check who owns the folder.");
    const Json json{{"version", kVersion},
                    {"at_us", recovery->at.time_since_epoch().count()},
                    {"table", toJson(m_tableFile.string(), recovery->base.table, recovery->draft.table)},
                    {"config", toJson(m_configFile.string(), recovery->base.config, recovery->draft.config)}};
    return writeFileAtomic(m_path, json.dump(-1, ' ', false, Json::error_handler_t::replace), {.mode = kOwnerOnly});
}

void RecoveryFile::letGo() {
    const std::lock_guard lock(m_mutex);
    m_letGo = true;
    m_lock.reset();
}

}  // namespace signalbox::ui
