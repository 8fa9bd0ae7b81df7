// SPDX-License-Identifier: MIT
#include "ui/document/home_workspace.h"

#include <QFileInfo>

namespace signalbox::ui {

namespace fs = std::filesystem;

/// As the state folder of a workspace is found: whichever way led to it.
static fs::path realFolder(const fs::path& folder) {
    std::error_code code;
    fs::path real = fs::weakly_canonical(folder, code);
    if (code) real = fs::absolute(folder, code);
    return real.has_filename() ? real : real.parent_path();
}

/// gateway.toml says where decisions are recorded, who may ask and what serves, so it decides whose policy this is; a table
/// that is tried with it is no other workspace.
static fs::path openedAs(const policy::LoadedWorkspace& open) {
    if (open.configFile.empty()) return open.tableFile;
    const bool ownName = open.tableFile.filename() != "routing-table.json" && open.tableFile.parent_path() == open.configFile.parent_path();
    return ownName ? open.tableFile : open.configFile.parent_path();
}

HomeWorkspace::HomeWorkspace(const fs::path& folder) : m_folder(realFolder(folder)) {}

void HomeWorkspace::see(const policy::LoadedWorkspace& open) {
    if (m_folder.empty() || (open.tableFile == m_tableFile && open.configFile == m_configFile)) return;
    m_tableFile = open.tableFile;
    m_configFile = open.configFile;
    const fs::path& deciding = open.configFile.empty() ? open.tableFile : open.configFile;
    m_guest = realFolder(deciding.parent_path()) == m_folder ? QString() : QString::fromStdU16String(openedAs(open).u16string());
}

QString HomeWorkspace::name() const {
    const QString path = QString::fromStdU16String(m_folder.u16string());
    const QString name = QFileInfo(path).fileName();
    return name == QFileInfo(m_guest).fileName() ? path : name;
}

QString HomeWorkspace::guestName() const {
    const QString name = QFileInfo(m_guest).fileName();
    return name == QString::fromStdU16String(m_folder.filename().u16string()) ? m_guest : name;
}

}  // namespace signalbox::ui
