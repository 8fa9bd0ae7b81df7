// SPDX-License-Identifier: MIT
#include "ui/document/policy_document.h"

#include "router/base/file.h"
#include "router/base/hashing.h"
#include "router/strategy/workspace.h"
#include "router/table/read.h"
#include "ui/bridge/async.h"
#include "ui/document/draft_findings.h"

#include <QFile>
#include <QFileInfo>
#include <QUndoStack>

#include <optional>

namespace signalbox::ui {

namespace fs = std::filesystem;

static constexpr std::size_t kMaxWatchedBytes = std::size_t{64} << 20;

static fs::path toPath(const QString& text) { return fs::path(text.toStdU16String()); }
static QString toText(const fs::path& path) { return QString::fromStdU16String(path.u16string()); }

static fs::path fileOf(const policy::LoadedWorkspace& workspace) {
    return hasErrors(workspace.table.findings) ? workspace.tableFile : workspace.configFile;
}

// Somebody who opens a folder chose no file in it that could be missing; the folder is what they know.
static Error inWordsOfTheUser(Error error) {
    const fs::path file(error.where);
    std::error_code ignored;
    if (error.kind != ErrorKind::notFound || !fs::is_directory(file.parent_path(), ignored)) return error;
    const std::string folder = file.parent_path().string();
    if (file.filename() == "routing-table.json")
        return {error.kind, "This folder is no workspace: it holds no routing-table.json", folder,
                "Choose a folder with routing-table.json and gateway.toml, or open a table file of another name with Open routing table."};
    if (file.filename() == "gateway.toml")
        return {error.kind, "This folder is no workspace: it holds no gateway.toml", folder,
                "Look at its table alone with Open routing table, or write one: `signalboxctl check --help` shows a first gateway.toml."};
    return error;
}

// The place where a picture or a gateway.toml stops being JSON helps nobody.
static bool isOfAnotherKind(const Finding& finding, const fs::path& file) {
    if (finding.code == "empty_document" || finding.code == "top_level_not_object") return true;
    const bool atStart = finding.position.line == 1 && finding.position.column == 1;
    return (finding.code == "json_syntax" || finding.code == "not_utf8") && (atStart || file.extension() != ".json");
}

static Error refusal(const policy::LoadedWorkspace& workspace, const Findings& errors) {
    const fs::path file = fileOf(workspace);
    if (errors.empty())
        return {ErrorKind::badInput, "The policy cannot be used", file.string(), "Check the file with signalboxctl check."};
    const Finding& first = errors.front();
    std::string where = file.string();
    if (first.position.line != 0) where += ':' + std::to_string(first.position.line) + ':' + std::to_string(first.position.column);
    if (file == workspace.tableFile && isOfAnotherKind(first, file))
        return {ErrorKind::badInput, "This file is no routing table: " + first.message, where,
                "A routing table is a file with one JSON object. A workspace is opened by its folder, which holds gateway.toml beside it."};
    std::string hint = first.hint;
    if (errors.size() > 1) hint += (hint.empty() ? "" : " ") + std::to_string(errors.size() - 1) + " more such remarks follow.";
    return {ErrorKind::badInput, first.message, where, hint};
}

PolicyDocument::PolicyDocument(QObject* parent) : PolicyDocument(DocumentOptions{}, parent) {}

PolicyDocument::PolicyDocument(DocumentOptions options, QObject* parent)
    : QObject(parent), m_options(std::move(options)), m_stack(std::make_unique<QUndoStack>()) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(250);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_settle.start(); });
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] { m_settle.start(); });
    connect(&m_settle, &QTimer::timeout, this, &PolicyDocument::compareWithDisk);
    m_autosave.setSingleShot(true);
    m_autosave.setInterval(m_options.autosaveAfter);
    connect(&m_autosave, &QTimer::timeout, this, &PolicyDocument::keepRecovery);
    // The stack moves first; whoever hears of a change sees it and its number of steps together.
    connect(m_stack.get(), &QUndoStack::indexChanged, this, &PolicyDocument::announce);
}

PolicyDocument::~PolicyDocument() {
    m_stack->disconnect(this);
    if (m_recoveryFile && isDirty() && !m_abandoned) static_cast<void>(m_recoveryFile->keep(++m_recoveryNumber, worthKeeping()));
    for (const auto& file : {m_recoveryFile, m_earlierFile})
        if (file) file->letGo();
}

std::shared_ptr<const table::RoutingTable> PolicyDocument::table() const { return m_workspace ? m_workspace->table.table : nullptr; }

// Nearly always the table that a load or an edit had read anyway.
std::shared_ptr<const table::RoutingTable> PolicyDocument::savedTable() const {
    if (m_workspace && !m_baseTable) m_baseTable = table::readTable(m_base.table, m_options.clock->now()).table;
    return m_baseTable;
}

QString PolicyDocument::title() const {
    if (!m_workspace) return {};
    const fs::path& file = m_workspace->tableFile;
    const bool ownName = file.filename() != "routing-table.json";
    return toText(ownName ? file.filename() : file.parent_path().filename());
}

QString PolicyDocument::folder() const { return m_workspace ? toText(m_workspace->tableFile.parent_path()) : QString(); }

void PolicyDocument::openPath(const QString& path) {
    if (QFileInfo(path).isDir()) openWorkspace(path);
    else openTable(path);
}

void PolicyDocument::openWorkspace(const QString& folder) {
    const config::WorkspacePaths paths{toPath(QFileInfo(folder).absoluteFilePath())};
    load(paths.table(), {paths.config()});
}

void PolicyDocument::openTable(const QString& file) {
    const fs::path table = toPath(QFileInfo(file).absoluteFilePath());
    std::vector<fs::path> configs;
    if (const auto beside = table.parent_path() / "gateway.toml"; QFile::exists(toText(beside))) configs.push_back(beside);
    if (m_workspace && !m_workspace->configFile.empty()) configs.push_back(m_workspace->configFile);
    configs.emplace_back();
    load(table, std::move(configs));
}

void PolicyDocument::reload() {
    if (m_workspace) load(m_workspace->tableFile, {m_workspace->configFile});
}

// The first configuration that fits; if none does, what the first of them said.
static Result<policy::LoadedWorkspace> loadWithFirstFitting(const fs::path& tableFile, const std::vector<fs::path>& configFiles,
                                                            const DocumentOptions& options) {
    std::optional<Result<policy::LoadedWorkspace>> firstAnswer;
    for (const auto& configFile : configFiles) {
        auto loaded = strategy::loadWorkspace(tableFile, configFile, options.environment, options.clock->now());
        if (loaded && loaded->snapshot) return loaded;
        if (!firstAnswer) firstAnswer = std::move(loaded);
    }
    return std::move(*firstAnswer);
}

void PolicyDocument::load(const fs::path& tableFile, std::vector<fs::path> configFiles) {
    const quint64 number = ++m_loadNumber;
    m_loading = true;
    Q_EMIT loadingChanged();
    Q_EMIT busyChanged();
    runAsync(
        this,
        [tableFile, configFiles = std::move(configFiles), options = m_options] {
            Loaded loaded{loadWithFirstFitting(tableFile, configFiles, options), nullptr, nullptr, {}};
            if (!loaded.workspace || options.recoveryFolder.empty()) return loaded;
            const auto makeFile = [&] { return std::make_shared<RecoveryFile>(options.recoveryFolder, tableFile, loaded.workspace->configFile); };
            loaded.recoveryFile = makeFile();
            loaded.earlierFile = makeFile();
            loaded.recovery = loaded.earlierFile->adopt();
            return loaded;
        },
        [this, number](Loaded loaded) {
            if (number == m_loadNumber) take(std::move(loaded));
        });
}

void PolicyDocument::take(Loaded loaded) {
    m_loading = false;
    Q_EMIT loadingChanged();
    Q_EMIT busyChanged();
    auto& workspace = loaded.workspace;
    if (!workspace) {
        Q_EMIT loadFailed(inWordsOfTheUser(workspace.error()), {});
        return;
    }
    if (!workspace->snapshot) {
        const Findings errors = allErrors(*workspace);
        Q_EMIT loadFailed(refusal(*workspace, errors), errors);
        return;
    }
    leaveOutTheObvious(*workspace);
    m_noticed.clear();
    const bool again = m_workspace && m_workspace->tableFile == workspace->tableFile && m_workspace->configFile == workspace->configFile;
    if (again) takeAgain(std::make_shared<const policy::LoadedWorkspace>(std::move(*workspace)));
    else takeNew(std::move(*workspace), loaded);
    watch();
}

void PolicyDocument::takeNew(policy::LoadedWorkspace workspace, const Loaded& from) {
    if (isDirty() && !m_abandoned) keepRecovery();  // of what was open until now
    m_workspace = std::make_shared<const policy::LoadedWorkspace>(std::move(workspace));
    ++m_checkNumber;
    setChecking(false);
    m_recoveryFile = from.recoveryFile;
    m_earlierFile = from.earlierFile;
    m_recovery = from.recovery;
    m_abandoned = m_recoveredOver = false;
    m_autosave.stop();
    m_texts = m_base = textsOf(*m_workspace);
    m_tableDirty = m_configDirty = false;
    m_stack->clear();
    setBase(m_texts);
    m_moved = true;
    announce();
    if (m_recovery && m_recovery->draft == m_texts) discardRecovery();
    if (m_recovery) Q_EMIT recoveryFound(QDateTime::fromMSecsSinceEpoch(std::chrono::floor<std::chrono::milliseconds>(m_recovery->at).time_since_epoch().count()));
}

void PolicyDocument::takeAgain(WorkspacePtr loaded) {
    const DraftTexts theirs = textsOf(*loaded);
    m_recoveredOver = false;
    if (theirs != m_texts && (isDirty() || m_stack->count() > 0)) {
        m_base = theirs;
        m_baseTable = loaded->table.table;
        push({tr("reading the files again"), {}, m_options.clock->steady()}, {theirs, std::move(loaded)});
        setBase(theirs);
    } else {
        ++m_checkNumber;
        setChecking(false);
        m_texts = theirs;
        m_workspace = std::move(loaded);
        setBase(theirs);
        m_moved = true;
    }
    announce();
}

/// What the draft is measured by from here on is what it is now.
void PolicyDocument::setBase(DraftTexts base) {
    m_base = std::move(base);
    m_baseTable = table();
    m_tableDirty = m_texts.table != m_base.table;
    m_configDirty = m_texts.config != m_base.config;
    m_savedIndex = m_stack->index();
    m_lostSteps = 0;
    if (!isDirty()) m_stack->setClean();
}

void PolicyDocument::watch() {
    if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty()) m_watcher.removePaths(watched);
    // The folder too: an atomic save replaces the file, and the watch on the old one ends with it.
    m_watcher.addPath(toText(m_workspace->tableFile.parent_path()));
    for (const auto& file : {m_workspace->tableFile, m_workspace->configFile})
        if (!file.empty() && QFile::exists(toText(file))) m_watcher.addPath(toText(file));
}

void PolicyDocument::compareWithDisk() {
    if (!m_workspace) return;
    using Seen = std::vector<std::pair<fs::path, std::string>>;
    runAsync(
        this,
        [files = std::vector{m_workspace->tableFile, m_workspace->configFile}] {
            Seen seen;
            for (const fs::path& path : files) {
                if (path.empty()) continue;
                // Between two steps of somebody's save, or gone: nothing to offer.
                if (const auto bytes = readFile(path, kMaxWatchedBytes)) seen.emplace_back(path, sha256Hex(*bytes));
            }
            return seen;
        },
        [this, saveNumber = m_saveNumber](const Seen& seen) {
            if (m_saving || m_loading || saveNumber != m_saveNumber) return m_settle.start();  // it may have been looked at before
            for (const auto& [file, sha256] : seen) judgeDisk(file, sha256);
            watch();
        });
}

void PolicyDocument::judgeDisk(const fs::path& file, const std::string& sha256) {
    const bool isTable = file == m_workspace->tableFile;
    if (!isTable && file != m_workspace->configFile) return;  // another workspace was opened meanwhile
    const QString name = toText(file);
    if (sha256 == sha256Hex(isTable ? m_base.table : m_base.config)) {
        m_noticed.remove(name);
        return;
    }
    const QString state = QString::fromStdString(sha256) + (isDirty() ? QLatin1Char('!') : QLatin1Char('='));
    if (m_noticed.value(name) == state) return;
    m_noticed.insert(name, state);
    if (isDirty()) Q_EMIT changedOnDisk(name);
    else {
        Q_EMIT followedDisk(name);
        reload();
    }
}

}  // namespace signalbox::ui
