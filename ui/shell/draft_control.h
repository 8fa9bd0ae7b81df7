// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <QAction>
#include <QDateTime>
#include <QPointer>

#include <functional>

class QMessageBox;

namespace signalbox::ui {

class ErrorBanner;

/// Everything of the window that is about the files and the draft: undo, save and revert; what happens when somebody else
/// changes a file; the question before unsaved changes would be lost; what an earlier session left.
class DraftControl : public QObject {
    Q_OBJECT
public:
    DraftControl(const PageContext& context, ErrorBanner* banner, QWidget* window);

    [[nodiscard]] QAction* undoAction() const { return m_undo; }
    [[nodiscard]] QAction* redoAction() const { return m_redo; }
    [[nodiscard]] QAction* saveAction() const { return m_save; }
    [[nodiscard]] QAction* revertAction() const { return m_revert; }
    /// Shows the unsaved changes in the inspector.
    [[nodiscard]] QAction* changesAction() const { return m_changes; }
    [[nodiscard]] QList<QAction*> all() const { return {m_undo, m_redo, m_save, m_revert, m_changes}; }

    /// Calls `go` once nothing unsaved would be lost by it: at once, after a save, or after the operator gave it up. What is
    /// still in the field that has the focus counts as well.
    void settleThen(std::function<void()> go);
    /// Somebody else uses the banner; it is no longer about files.
    void letBannerGo() { m_bannerIs = BannerIs::others; }

Q_SIGNALS:
    /// Files were read, as opposed to edited.
    void opened();

private:
    QAction* add(QAction* action, const char* name, const QString& icon, const QKeySequence& shortcut);
    void connectDocument();
    void refresh();
    void save();
    void takeWaiting();
    void askThen(const std::function<void()>& go);
    void saveThenGo();
    void showChanges();
    void takeLoaded();
    void askAboutConflict(const QString& file, const QString& base, const QString& theirs, const QString& ours);
    void saveCopyOf(const QString& file);
    void askAboutRecovery(const QDateTime& at);
    void notice(const QString& message, const QString& file, const QString& actionText, std::function<void()> action);

    PageContext m_context;
    PolicyDocument* m_document;
    ErrorBanner* m_banner;
    QWidget* m_window;
    QAction *m_undo, *m_redo, *m_save, *m_revert, *m_changes;
    std::function<void()> m_afterSave;    ///< the answer "Save" is under way
    std::function<void()> m_settleWaits;  ///< for an edit that is being checked
    bool m_saveWaits = false;             ///< for that, or for files that are being read
    QPointer<QMessageBox> m_question;     ///< about unsaved changes, while it is open
    bool m_justLoaded = false;
    /// A successful load takes away what is about files or the recovery, a successful save what is about files: what was kept
    /// can still be brought back.
    enum class BannerIs { others, files, recovery };
    BannerIs m_bannerIs = BannerIs::others;
};

}  // namespace signalbox::ui
