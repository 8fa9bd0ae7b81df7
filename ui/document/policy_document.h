// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/policy/workspace.h"
#include "ui/document/draft_command.h"
#include "ui/document/recovery_file.h"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QUndoStack;

namespace signalbox::ui {

struct SaveOutcome;

/// What a document takes from outside; tests inject their own.
struct DocumentOptions {
    std::shared_ptr<const Clock> clock = std::make_shared<SystemClock>();
    config::Environment environment = config::processEnvironment();
    /// Where unsaved drafts are kept; empty keeps none.
    std::filesystem::path recoveryFolder;
    std::chrono::milliseconds autosaveAfter{3'000};
    /// Above this many bytes of both texts an edit is judged on a worker.
    std::size_t workerAbove = std::size_t{1} << 20;
};

/// The policy that the console shows as its draft: the workspace's two files, read, checked and joined, and what was
/// edited since. Loading and saving run on a worker; a load that fails leaves what was open as it is.
class PolicyDocument : public QObject {
    Q_OBJECT
public:
    explicit PolicyDocument(QObject* parent = nullptr);
    explicit PolicyDocument(DocumentOptions options, QObject* parent = nullptr);
    /// Keeps an unsaved draft for `recover`, unless it was abandoned.
    ~PolicyDocument() override;

    /// The draft. Null until the first successful load.
    [[nodiscard]] std::shared_ptr<const policy::LoadedWorkspace> workspace() const { return m_workspace; }
    /// The table alone; null when none is open or it was refused.
    [[nodiscard]] std::shared_ptr<const table::RoutingTable> table() const;
    [[nodiscard]] QString title() const;  ///< folder or file name, for the window
    [[nodiscard]] QString folder() const;  ///< of the open table; empty when nothing is open
    [[nodiscard]] bool isLoading() const { return m_loading; }
    /// Something is read or checked: edits wait.
    [[nodiscard]] bool isBusy() const { return m_loading || m_checking; }
    [[nodiscard]] bool isChecking() const { return m_checking; }  ///< an edit is on its way into the draft
    [[nodiscard]] bool isSaving() const { return m_saving; }

    /// Opens what `path` is: a workspace folder or a table file. Unsaved changes stay in the recovery.
    void openPath(const QString& path);
    /// A folder with gateway.toml and routing-table.json.
    void openWorkspace(const QString& folder);
    /// Another table, with the gateway.toml of its folder, else the configuration that is open, else none: the first of
    /// these that fits it. A table can so be looked at without a workspace of its own.
    void openTable(const QString& file);
    /// Reads the same files again. What was not saved gives way to them, as an undoable step.
    void reload();

    // Editing. The draft is always a policy that loads: an edit that would break it is refused with the finding that
    // says why, and nothing changes. Undo and redo go across pages and both files.

    /// Gives the new text of one file from its present one; see router/table/edit.h and router/config/edit.h.
    /// Capture by value: for texts above `workerAbove` it runs on a worker after the call has returned.
    using TextEdit = std::function<Result<std::string>(std::string_view text)>;
    /// One undoable step. `label` completes "Undo …": tr("quality of deepseek"). Steps with the same `mergeKey` that
    /// follow each other within a second become one (a dragged slider). A change of nothing is no step.
    /// Errors: what the edit said; badInput with the first new error of the validators, its `where` being the dotted
    /// path or pointer; denied for a foreign table that was not forked; conflict while something is read or checked.
    /// For big texts it returns at once, `isBusy` holds until `changed` or `editRefused`.
    [[nodiscard]] Result<void> editConfig(const QString& label, const TextEdit& edit, const QString& mergeKey = {});
    [[nodiscard]] Result<void> editTable(const QString& label, const TextEdit& edit, const QString& mergeKey = {});
    /// Both files in one step.
    [[nodiscard]] Result<void> editBoth(const QString& label, const TextEdit& table, const TextEdit& config);
    /// Makes a foreign table ours (contract A): an undoable step of its own.
    [[nodiscard]] Result<void> forkTable();

    [[nodiscard]] bool canEditTable() const;   ///< a table of ours is open
    [[nodiscard]] bool canEditConfig() const;  ///< a gateway.toml is open
    [[nodiscard]] bool canForkTable() const;   ///< a table of somebody else is open that this program understands
    [[nodiscard]] QUndoStack* undoStack() const { return m_stack.get(); }
    [[nodiscard]] bool isDirty() const { return m_tableDirty || m_configDirty; }  ///< the draft differs from what was read or saved
    [[nodiscard]] int changeCount() const;     ///< steps between both; 0 exactly when nothing is dirty
    /// The labels of those steps, oldest first.
    [[nodiscard]] QStringList changes() const;
    /// The files that a save would write.
    [[nodiscard]] QStringList dirtyFiles() const;
    [[nodiscard]] const std::string& tableText() const { return m_texts.table; }
    [[nodiscard]] const std::string& configText() const { return m_texts.config; }
    /// The table as it was read or saved last.
    [[nodiscard]] std::shared_ptr<const table::RoutingTable> savedTable() const;
    /// Back to what was read or saved last, as one undoable step.
    void revert();

    /// Writes what changed, each file whole or not at all. Refuses to overwrite a file that somebody else changed since
    /// it was read: `saveConflict` then offers the ways out.
    void save();
    /// After a conflict: write ours over what it showed, once. Whatever was not shown, in the other file or newer in the
    /// same one, is a conflict of its own.
    void saveOverTheirs();
    /// Writes our text of `file`, one of the two, to another path. The draft stays as dirty as it is.
    void saveCopy(const QString& file, const QString& to);

    /// Brings back what `recoveryFound` spoke of, as one undoable step. Refused (`recoveryRefused`), it stays kept: for another
    /// try, or the next opening.
    void recover();
    void discardRecovery();
    /// The draft is given up: nothing of it is kept for the next opening. What `recoveryFound` spoke of is, until it is answered.
    void abandon();

Q_SIGNALS:
    void loadingChanged();
    void busyChanged();
    void changed();
    /// One clear located message; `findings` holds all of them when the file was read but refused.
    void loadFailed(const signalbox::Error& error, const signalbox::Findings& findings);
    /// A file on disk differs from what was read while the draft is dirty; a clean draft follows the disk by itself.
    void changedOnDisk(const QString& file);
    void followedDisk(const QString& file);
    /// An edit that was judged on a worker.
    void editRefused(const signalbox::Error& error);
    void dirtyChanged();  ///< `isDirty`, `changeCount` or `changes` is another
    void saved();
    void copySaved(const QString& file);
    void saveFailed(const signalbox::Error& error);
    /// `file` was changed by somebody else since it was read: their text beside ours and what both began with (F85).
    /// `theirs` is null when the file was removed.
    void saveConflict(const QString& file, const QString& base, const QString& theirs, const QString& ours);
    /// An earlier session ended with unsaved changes of these files; `recover` brings them back as one undoable step.
    void recoveryFound(const QDateTime& at);
    /// `recover` could not; it may be tried again.
    void recoveryRefused(const signalbox::Error& error);

private:
    using WorkspacePtr = std::shared_ptr<const policy::LoadedWorkspace>;
    /// Texts and what they mean; no workspace means that nothing changed.
    struct Candidate {
        DraftTexts texts;
        WorkspacePtr workspace;
    };
    struct Loaded {
        Result<policy::LoadedWorkspace> workspace;
        std::shared_ptr<RecoveryFile> recoveryFile, earlierFile;
        std::optional<Recovery> recovery;
    };

    // policy_document.cpp: files in
    void load(const std::filesystem::path& tableFile, std::vector<std::filesystem::path> configFiles);
    void take(Loaded loaded);
    void takeNew(policy::LoadedWorkspace loaded, const Loaded& from);
    void takeAgain(WorkspacePtr loaded);
    void setBase(DraftTexts base);
    void watch();
    void compareWithDisk();
    void judgeDisk(const std::filesystem::path& file, const std::string& sha256);

    // policy_edit.cpp: steps
    static Result<Candidate> judge(const WorkspacePtr& before, const DraftTexts& texts, const TextEdit& tableEdit,
                                   const TextEdit& configEdit, const DocumentOptions& options);
    [[nodiscard]] Result<void> mayEdit() const;
    /// What becomes of a step that is not an edit like others.
    struct Verdict {
        std::function<void()> judged;               ///< nothing refuses it any more, right before it is in the draft
        std::function<void(const Error&)> refused;  ///< on the worker; empty: `editRefused`
    };
    [[nodiscard]] Result<void> edit(DraftCommand::Step step, const TextEdit& tableEdit, const TextEdit& configEdit, const Verdict& verdict = {});
    void push(DraftCommand::Step step, Candidate candidate);
    void textsMoved();
    void announce();
    void setChecking(bool checking);
    [[nodiscard]] bool isBig() const;

    // policy_save.cpp: files out, and the recovery
    void startSave();
    void finishSave(const SaveOutcome& outcome, const DraftTexts& written, std::shared_ptr<const table::RoutingTable> writtenTable, int index);
    void keepRecovery();
    void takeRecovered();
    void refuseRecovery(const Error& error);
    void dropEarlier();
    [[nodiscard]] std::optional<Recovery> worthKeeping() const;

    DocumentOptions m_options;
    WorkspacePtr m_workspace;
    DraftTexts m_texts;                 ///< the draft
    DraftTexts m_base;                  ///< as read or saved last
    mutable std::shared_ptr<const table::RoutingTable> m_baseTable;  ///< what it says; null until somebody asks, where nobody has read it yet
    DraftTexts m_olderBase;             ///< of a recovered draft, while `m_recoveredOver` says so
    bool m_recoveredOver = false;       ///< the files went on while the draft lay in the recovery
    bool m_tableDirty = false, m_configDirty = false;
    bool m_moved = false;               ///< `changed` is due
    bool m_loading = false, m_checking = false, m_saving = false, m_abandoned = false;
    quint64 m_loadNumber = 0;           ///< answers of older loads are dropped
    quint64 m_checkNumber = 0;
    quint64 m_saveNumber = 0;
    WorkspacePtr m_judged;              ///< of the texts that the step about to be pushed leads to
    int m_savedIndex = 0;               ///< where in the stack the base lies, and steps that lay between and are gone
    int m_lostSteps = 0;
    QFileSystemWatcher m_watcher;
    QTimer m_settle;                    ///< editors write in several steps; look once they are done
    std::map<std::filesystem::path, std::string> m_shown;  ///< conflicts told since the last `save`: files and their states
    QHash<QString, QString> m_noticed;  ///< states of files on disk that were spoken of already
    std::shared_ptr<RecoveryFile> m_recoveryFile;
    std::shared_ptr<RecoveryFile> m_earlierFile;  ///< holds `m_recovery`, which an earlier session left, until it is answered
    std::optional<Recovery> m_recovery;
    quint64 m_recoveryNumber = 0;
    QTimer m_autosave;
    bool m_autosaveFailed = false;      ///< and was spoken of
    std::unique_ptr<QUndoStack> m_stack;
};

}  // namespace signalbox::ui
