// SPDX-License-Identifier: MIT
#include "ui/shell/draft_control.h"

#include "ui/dialogs/conflict_dialog.h"
#include "ui/document/policy_document.h"
#include "ui/shell/changes_view.h"
#include "ui/shell/field_commit.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/findings_list.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QUndoStack>

namespace signalbox::ui {

DraftControl::DraftControl(const PageContext& context, ErrorBanner* banner, QWidget* window)
    : QObject(window), m_context(context), m_document(context.document), m_banner(banner), m_window(window) {
    QUndoStack* stack = m_document->undoStack();
    m_undo = add(stack->createUndoAction(this, tr("&Undo")), "edit.undo", QStringLiteral("back"), QKeySequence(QStringLiteral("Ctrl+Z")));
    m_redo = add(stack->createRedoAction(this, tr("&Redo")), "edit.redo", QStringLiteral("chevron-right"), QKeySequence(QStringLiteral("Ctrl+Shift+Z")));
    m_save = add(new QAction(tr("&Save"), this), "file.save", QStringLiteral("download"), QKeySequence(QStringLiteral("Ctrl+S")));
    m_revert = add(new QAction(tr("Re&vert to the saved files"), this), "file.revert", QStringLiteral("refresh"), {});
    m_changes = add(new QAction(tr("Unsaved &changes"), this), "edit.changes", QStringLiteral("history"), {});
    m_revert->setToolTip(tr("Takes back everything that is not saved, as one step that can itself be undone"));
    connect(m_save, &QAction::triggered, this, &DraftControl::save);
    connect(m_revert, &QAction::triggered, m_document, &PolicyDocument::revert);
    connect(m_changes, &QAction::triggered, this, &DraftControl::showChanges);
    connectDocument();
    refresh();
}

QAction* DraftControl::add(QAction* action, const char* name, const QString& icon, const QKeySequence& shortcut) {
    action->setObjectName(QString::fromLatin1(name));
    action->setProperty("paletteIcon", icon);
    setThemedIcon(action, icon);
    action->setIconVisibleInMenu(false);
    if (!shortcut.isEmpty()) action->setShortcut(shortcut);
    return action;
}

void DraftControl::connectDocument() {
    connect(m_document, &PolicyDocument::loadingChanged, this, [this] { m_justLoaded = !m_document->isLoading(); });
    connect(m_document, &PolicyDocument::changed, this, [this] {
        if (std::exchange(m_justLoaded, false)) takeLoaded();
    });
    connect(m_document, &PolicyDocument::dirtyChanged, this, &DraftControl::refresh);
    connect(m_document, &PolicyDocument::busyChanged, this, [this] {
        refresh();
        if (m_document->isChecking()) m_context.say(tr("Checking the change…"));
        // Later: the change is checked before it is in the draft.
        else QMetaObject::invokeMethod(this, &DraftControl::takeWaiting, Qt::QueuedConnection);
    });
    connect(m_document, &PolicyDocument::editRefused, this, [this](const Error& error) { m_context.complain(error); });
    connect(m_document, &PolicyDocument::recoveryRefused, this, [this](const Error& error) {
        m_context.complain(error);  // whatever the banner asked gives way
        m_banner->show(error, [this] { m_document->recover(); });
        m_bannerIs = BannerIs::recovery;
    });
    connect(m_document, &PolicyDocument::loadFailed, this, [this](const Error& error, const Findings& findings) {
        m_justLoaded = false;
        saveThenGo();  // it waited for the files
        m_context.complain(error);
        m_bannerIs = BannerIs::files;
        if (findings.size() > 1) m_context.inspect(new FindingsList(findings), tr("Why the file was refused"));
    });
    connect(m_document, &PolicyDocument::changedOnDisk, this, [this](const QString& file) {
        notice(tr("This file was changed by another program, and you have unsaved changes"), file, tr("Read it again"), [this] {
            m_document->reload();
            m_context.say(tr("Undo brings your changes back"));
        });
    });
    connect(m_document, &PolicyDocument::followedDisk, this, [this](const QString& file) { m_context.say(tr("%1 changed on disk and was read again").arg(QFileInfo(file).fileName())); });
    connect(m_document, &PolicyDocument::saved, this, [this] {
        if (m_bannerIs == BannerIs::files) m_banner->dismiss();
        m_context.say(m_document->isDirty() ? tr("Saved; what you changed since is not") : tr("Saved"));
        saveThenGo();
    });
    connect(m_document, &PolicyDocument::copySaved, this, [this](const QString& file) { m_context.say(tr("Your text is saved as %1; the draft is as it was").arg(QFileInfo(file).fileName())); });
    connect(m_document, &PolicyDocument::saveFailed, this, [this](const Error& error) {
        m_afterSave = {};
        m_context.complain(error);
        m_bannerIs = BannerIs::files;
    });
    connect(m_document, &PolicyDocument::saveConflict, this, &DraftControl::askAboutConflict);
    connect(m_document, &PolicyDocument::recoveryFound, this, &DraftControl::askAboutRecovery);
}

void DraftControl::save() {
    m_saveWaits = true;
    takeWaiting();
}

// What was asked for while a change was checked. Whoever saved as well has answered the question that would be asked.
void DraftControl::takeWaiting() {
    if (m_document->isChecking()) return;  // the end of that comes here again
    if (auto go = std::exchange(m_settleWaits, {})) {
        if (m_saveWaits) m_afterSave = std::move(go);
        else askThen(go);
    }
    if (m_document->isLoading() || m_document->isSaving()) return;  // and so does the end of these
    if (std::exchange(m_saveWaits, false)) m_document->save();
    saveThenGo();
}

// "Save" was answered to the question: saves until nothing is left to be saved, however much came meanwhile.
void DraftControl::saveThenGo() {
    if (!m_afterSave || m_document->isSaving() || m_document->isBusy()) return;  // the end of that comes here again
    if (m_document->isDirty()) return m_document->save();
    std::exchange(m_afterSave, {})();
}

void DraftControl::takeLoaded() {
    // What the question was about, or what waited to be saved, is no longer what is shown.
    const bool waited = m_afterSave || m_settleWaits || m_saveWaits;
    m_afterSave = m_settleWaits = {};
    m_saveWaits = false;
    if (m_question) m_question->reject();
    if (m_bannerIs != BannerIs::others) m_banner->dismiss();
    m_bannerIs = BannerIs::others;
    Q_EMIT opened();
    if (waited) m_context.say(tr("The files were read again before anything was saved; look at them, then ask again"));
}

void DraftControl::refresh() {
    const bool dirty = m_document->isDirty();
    m_save->setEnabled((dirty || m_document->isChecking()) && !m_document->isSaving() && !m_document->isLoading());
    m_revert->setEnabled(dirty && !m_document->isBusy());
    m_changes->setEnabled(dirty);
    m_window->setWindowModified(dirty);
}

void DraftControl::notice(const QString& message, const QString& file, const QString& actionText, std::function<void()> action) {
    m_banner->notice(Tone::caution, message, file, actionText, std::move(action));
    m_bannerIs = BannerIs::files;
}

void DraftControl::showChanges() { m_context.inspect(new ChangesView(m_document, {m_undo, m_save, m_revert}), tr("Unsaved changes")); }

void DraftControl::settleThen(std::function<void()> go) {
    commitField();
    m_settleWaits = std::move(go);  // two ways to leave: the last one counts
    takeWaiting();
}

void DraftControl::askThen(const std::function<void()>& go) {
    if (!m_document->isDirty()) return go();
    if (m_question) return;
    auto* box = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"),
                                plainTip(tr("%n change(s) of %1 are not saved.", nullptr, m_document->changeCount()).arg(m_document->title())),
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    m_question = box;
    box->setObjectName(QStringLiteral("unsavedQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(plainTip(m_document->changes().mid(0, 8).join(QLatin1Char('\n'))));
    box->setDefaultButton(QMessageBox::Save);
    connect(box, &QMessageBox::finished, this, [this, go](int answer) {
        m_question = nullptr;
        if (answer == QMessageBox::Save) {
            m_afterSave = go;
            saveThenGo();
        } else if (answer == QMessageBox::Discard) {
            m_document->abandon();
            go();
        }
    });
    box->open();
}

void DraftControl::askAboutConflict(const QString& file, const QString& base, const QString& theirs, const QString& ours) {
    m_afterSave = {};
    auto* dialog = new ConflictDialog(file, base, theirs, ours, m_window);
    connect(dialog, &ConflictDialog::takeTheirs, m_document, [this] {
        m_document->reload();
        m_context.say(tr("Their text is shown; Undo brings your changes back"));
    });
    connect(dialog, &ConflictDialog::writeOurs, m_document, &PolicyDocument::saveOverTheirs);
    connect(dialog, &ConflictDialog::saveCopy, this, [this, file] { saveCopyOf(file); });
    dialog->open();
}

void DraftControl::saveCopyOf(const QString& file) {
    const QFileInfo info(file);
    auto* chooser = new QFileDialog(m_window, tr("Save ours as a copy"), info.absolutePath());
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->selectFile(info.completeBaseName() + QStringLiteral(".ours.") + info.suffix());
    connect(chooser, &QFileDialog::fileSelected, m_document, [this, file](const QString& to) { m_document->saveCopy(file, to); });
    chooser->open();
}

void DraftControl::askAboutRecovery(const QDateTime& at) {
    auto* box = new QMessageBox(QMessageBox::Question, tr("Unsaved changes were kept"),
                                plainTip(tr("The console ended on %1 with changes of %2 that were not saved.").arg(QLocale().toString(at.toLocalTime(), QLocale::ShortFormat), m_document->title())),
                                QMessageBox::NoButton, m_window);
    box->setObjectName(QStringLiteral("recoveryQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Bringing them back is a step that Undo takes back; the files stay as they are until you save."));
    const auto* back = box->addButton(tr("Bring them back"), QMessageBox::AcceptRole);
    const auto* away = box->addButton(tr("Throw them away"), QMessageBox::DestructiveRole);
    box->addButton(tr("Ask next time"), QMessageBox::RejectRole);
    connect(box, &QMessageBox::buttonClicked, m_document, [this, back, away](const QAbstractButton* clicked) {
        if (clicked == back) m_document->recover();
        else if (clicked == away) m_document->discardRecovery();
    });
    box->open();
}

}  // namespace signalbox::ui
