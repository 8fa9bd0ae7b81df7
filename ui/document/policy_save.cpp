// SPDX-License-Identifier: MIT
#include "router/base/file.h"
#include "ui/bridge/async.h"
#include "ui/document/draft_files.h"
#include "ui/document/policy_document.h"

#include <QUndoStack>

#include <algorithm>

namespace signalbox::ui {

static QString pathText(const std::filesystem::path& path) { return QString::fromStdU16String(path.u16string()); }

void PolicyDocument::save() {
    m_shown.clear();
    startSave();
}

void PolicyDocument::saveOverTheirs() { startSave(); }

QStringList PolicyDocument::dirtyFiles() const {
    QStringList files;
    if (m_tableDirty) files << pathText(m_workspace->tableFile);
    if (m_configDirty) files << pathText(m_workspace->configFile);
    return files;
}

void PolicyDocument::startSave() {
    if (!isDirty() || m_saving || m_loading) return;
    std::vector<FileWrite> files;
    const auto older = [this](const std::string& base, const std::string& old) { return m_recoveredOver && old != base ? std::optional(old) : std::nullopt; };
    const auto accepted = [this](const std::filesystem::path& file) {
        const auto shown = m_shown.find(file);
        return shown == m_shown.end() ? std::nullopt : std::optional(shown->second);
    };
    if (m_tableDirty) files.push_back({m_workspace->tableFile, m_base.table, m_texts.table, older(m_base.table, m_olderBase.table), accepted(m_workspace->tableFile)});
    if (m_configDirty) files.push_back({m_workspace->configFile, m_base.config, m_texts.config, older(m_base.config, m_olderBase.config), accepted(m_workspace->configFile)});
    // An undo of a big table may still be judged: then what is shown is not yet what is written.
    const bool isRead = m_workspace->table.document && m_workspace->table.document->text() == m_texts.table;
    m_saving = true;
    ++m_saveNumber;
    Q_EMIT busyChanged();
    runAsync(
        this, [files = std::move(files)] { return saveFiles(files); },
        [this, texts = m_texts, read = isRead ? table() : nullptr, index = m_stack->index()](const SaveOutcome& outcome) { finishSave(outcome, texts, read, index); });
}

void PolicyDocument::finishSave(const SaveOutcome& outcome, const DraftTexts& written, std::shared_ptr<const table::RoutingTable> writtenTable, int index) {
    m_saving = false;
    for (const auto& file : outcome.written) {
        if (file == m_workspace->tableFile) {
            m_base.table = written.table;
            m_baseTable = std::move(writtenTable);
        } else if (file == m_workspace->configFile) m_base.config = written.config;
    }
    m_tableDirty = m_texts.table != m_base.table;
    m_configDirty = m_texts.config != m_base.config;
    const bool all = !outcome.conflict && !outcome.error;
    if (all) {
        m_recoveredOver = false;
        m_noticed.clear();
        m_savedIndex = std::min(index, m_stack->count());
        m_lostSteps = 0;
        if (!isDirty()) m_stack->setClean();
    }
    Q_EMIT busyChanged();
    Q_EMIT dirtyChanged();
    keepRecovery();
    if (all) Q_EMIT saved();
    else if (outcome.error) Q_EMIT saveFailed(*outcome.error);
    else {
        const auto text = [](const std::string& utf8) { return QString::fromStdString(utf8); };
        const FileConflict& conflict = *outcome.conflict;
        m_shown[conflict.path] = conflict.state;
        Q_EMIT saveConflict(pathText(conflict.path), text(conflict.base), conflict.removed ? QString() : text(conflict.theirs), text(conflict.ours));
    }
}

void PolicyDocument::saveCopy(const QString& file, const QString& to) {
    if (!m_workspace) return;
    const bool isTable = file == pathText(m_workspace->tableFile);
    runAsync(
        this,
        [path = std::filesystem::path(to.toStdU16String()), text = isTable ? m_texts.table : m_texts.config] { return writeFileAtomic(path, text); },
        [this, to](const Result<void>& written) {
            if (written) Q_EMIT copySaved(to);
            else Q_EMIT saveFailed(written.error());
        });
}

std::optional<Recovery> PolicyDocument::worthKeeping() const {
    if (m_abandoned || !isDirty()) return std::nullopt;
    return Recovery{m_options.clock->now(), m_recoveredOver ? m_olderBase : m_base, m_texts};
}

void PolicyDocument::keepRecovery() {
    m_autosave.stop();
    if (!m_recoveryFile) return;
    runAsync(
        this, [file = m_recoveryFile, number = ++m_recoveryNumber, recovery = worthKeeping()] { return file->keep(number, recovery); },
        [this](const Result<void>& kept) {
            if (!kept && !std::exchange(m_autosaveFailed, true)) Q_EMIT saveFailed(kept.error());
        });
}

void PolicyDocument::recover() {
    if (!m_recovery) return;
    auto done = mayEdit();
    if (done)
        done = edit({tr("changes of the last session"), {}, m_options.clock->steady()},
                    [text = m_recovery->draft.table](std::string_view) { return Result<std::string>(text); },
                    [text = m_recovery->draft.config](std::string_view) { return Result<std::string>(text); },
                    {[this] { takeRecovered(); }, [this](const Error& error) { refuseRecovery(error); }});
    if (!done) refuseRecovery(done.error());
}

// Nobody can make those changes again by heart; they lie where they lay. What to do about a busy draft is to try again.
void PolicyDocument::refuseRecovery(const Error& error) {
    std::string hint = error.message + ". ";
    if (error.kind != ErrorKind::conflict && !error.hint.empty()) hint += error.hint + ' ';
    Q_EMIT recoveryRefused({error.kind, "The changes that were kept could not be brought back", error.where,
                            hint + "They stay kept: try again now, or open this workspace another time and you are asked about them again."});
}

// Until the step was judged, its file is the only copy.
void PolicyDocument::takeRecovered() {
    if (!m_recovery) return;
    m_recoveredOver = m_recovery->base != m_base;
    m_olderBase = std::move(m_recovery->base);
    m_recovery.reset();
    // From here on its file is the draft's, written over by what becomes of it; the other one is no longer needed.
    std::swap(m_recoveryFile, m_earlierFile);
    dropEarlier();
}

void PolicyDocument::discardRecovery() {
    m_recovery.reset();
    dropEarlier();
}

void PolicyDocument::dropEarlier() {
    if (const auto file = std::exchange(m_earlierFile, nullptr))
        runAsync(this, [file, number = ++m_recoveryNumber] { return file->keep(number, std::nullopt); }, [](const Result<void>&) {});
}

void PolicyDocument::abandon() {
    m_abandoned = true;
    keepRecovery();
}

}  // namespace signalbox::ui
