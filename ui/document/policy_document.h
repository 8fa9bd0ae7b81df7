// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/workspace.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <memory>
#include <vector>

namespace signalbox::ui {

/// The policy that the console shows as its draft: the workspace's two files, read, checked and joined.
/// Loading runs on a worker; a load that fails leaves what was open as it is.
class PolicyDocument : public QObject {
    Q_OBJECT
public:
    explicit PolicyDocument(QObject* parent = nullptr);
    ~PolicyDocument() override;

    /// Null until the first successful load.
    [[nodiscard]] std::shared_ptr<const policy::LoadedWorkspace> workspace() const { return m_workspace; }
    /// The table alone; null when none is open or it was refused.
    [[nodiscard]] std::shared_ptr<const table::RoutingTable> table() const;
    [[nodiscard]] QString title() const;  ///< folder or file name, for the window
    [[nodiscard]] QString folder() const;  ///< of the open table; empty when nothing is open
    [[nodiscard]] bool isLoading() const { return m_loading; }

    /// Opens what `path` is: a workspace folder or a table file.
    void openPath(const QString& path);
    /// A folder with gateway.toml and routing-table.json.
    void openWorkspace(const QString& folder);
    /// Another table, with the gateway.toml of its folder, else the configuration that is open, else none: the first of
    /// these that fits it. A table can so be looked at without a workspace of its own.
    void openTable(const QString& file);
    /// Reads the same files again.
    void reload();

Q_SIGNALS:
    void loadingChanged();
    void changed();
    /// One clear located message; `findings` holds all of them when the file was read but refused.
    void loadFailed(const signalbox::Error& error, const signalbox::Findings& findings);
    /// The files on disk differ from what is shown.
    void changedOnDisk(const QString& file);

private:
    void load(const std::filesystem::path& tableFile, std::vector<std::filesystem::path> configFiles);
    void take(Result<policy::LoadedWorkspace> loaded);
    void watch();
    void compareWithDisk();

    std::shared_ptr<const policy::LoadedWorkspace> m_workspace;
    bool m_loading = false;
    quint64 m_loadNumber = 0;  ///< answers of older loads are dropped
    QFileSystemWatcher m_watcher;
    QTimer m_settle;           ///< editors write in several steps; look once they are done
};

}  // namespace signalbox::ui
