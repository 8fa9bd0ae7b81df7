// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/workspace.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

class QUndoStack;

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
    /// Reads the same files again; what was not saved is lost.
    void reload();

    // Editing. The draft is always a policy that loads: an edit that would break it is refused with the finding that
    // says why, and nothing changes. Undo and redo go across pages and both files.

    /// Gives the new text of one file from its present one; see router/table/edit.h and router/config/edit.h.
    using TextEdit = std::function<Result<std::string>(std::string_view text)>;
    /// One undoable step. `label` completes "Undo …": tr("quality of deepseek"). Steps with the same `mergeKey` that
    /// follow each other within a second become one (a dragged slider). A change of nothing is no step.
    /// Errors: what the edit said; badInput with the first new error of the validators, its `where` being the dotted
    /// path or pointer; denied for a foreign table that was not forked; conflict while loading.
    [[nodiscard]] Result<void> editConfig(const QString& label, const TextEdit& edit, const QString& mergeKey = {});
    [[nodiscard]] Result<void> editTable(const QString& label, const TextEdit& edit, const QString& mergeKey = {});
    /// Both files in one step.
    [[nodiscard]] Result<void> editBoth(const QString& label, const TextEdit& table, const TextEdit& config);
    /// Makes a foreign table ours (contract A): an undoable step of its own.
    [[nodiscard]] Result<void> forkTable();

    [[nodiscard]] bool canEditTable() const;   ///< a table of ours is open
    [[nodiscard]] bool canEditConfig() const;  ///< a gateway.toml is open
    [[nodiscard]] QUndoStack* undoStack() const;
    [[nodiscard]] bool isDirty() const;        ///< the draft differs from what was read or saved
    [[nodiscard]] int changeCount() const;     ///< steps between both
    [[nodiscard]] const std::string& tableText() const;
    [[nodiscard]] const std::string& configText() const;

    /// Writes what changed, each file whole or not at all. Refuses to overwrite a file that somebody else changed since
    /// it was read: `conflict` then offers the ways out.
    void save();
    /// After a conflict: write ours over theirs, once.
    void saveOverTheirs();

Q_SIGNALS:
    void loadingChanged();
    void changed();
    /// One clear located message; `findings` holds all of them when the file was read but refused.
    void loadFailed(const signalbox::Error& error, const signalbox::Findings& findings);
    /// The files on disk differ from what is shown.
    void changedOnDisk(const QString& file);
    void dirtyChanged();
    void saved();
    void saveFailed(const signalbox::Error& error);
    /// `file` was changed by somebody else since it was read: their text beside ours and what both began with (F85).
    void saveConflict(const QString& file, const QString& base, const QString& theirs, const QString& ours);
    /// An earlier session ended with unsaved changes of these files; `recover` brings them back as one undoable step.
    void recoveryFound(const QDateTime& at);

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
