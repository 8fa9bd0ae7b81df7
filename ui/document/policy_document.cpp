// SPDX-License-Identifier: MIT
#include "ui/document/policy_document.h"

#include "router/base/hashing.h"
#include "ui/bridge/async.h"

#include <QFile>
#include <QFileInfo>

#include <optional>

namespace signalbox::ui {

static std::filesystem::path toPath(const QString& text) { return std::filesystem::path(text.toStdU16String()); }
static QString toText(const std::filesystem::path& path) { return QString::fromStdU16String(path.u16string()); }

static Findings allErrors(const policy::LoadedWorkspace& workspace) {
    Findings all;
    for (const Findings* list : {&workspace.table.findings, &workspace.config.findings, &workspace.crossFindings})
        for (const Finding& finding : *list)
            if (finding.severity == Severity::error) all.push_back(finding);
    return all;
}

static std::filesystem::path fileOf(const policy::LoadedWorkspace& workspace) {
    return hasErrors(workspace.table.findings) ? workspace.tableFile : workspace.configFile;
}

// Somebody who opens a folder chose no routing-table.json that could be missing; the folder is what they know.
static Error inWordsOfTheUser(Error error) {
    const std::filesystem::path file(error.where);
    std::error_code ignored;
    if (error.kind != ErrorKind::notFound || file.filename() != "routing-table.json" || !std::filesystem::is_directory(file.parent_path(), ignored)) return error;
    return {error.kind, "This folder is no workspace: it holds no routing-table.json", file.parent_path().string(),
            "Choose a folder with routing-table.json and gateway.toml, or open a table file of another name with Open routing table."};
}

static Error refusal(const policy::LoadedWorkspace& workspace, const Findings& errors) {
    const std::filesystem::path file = fileOf(workspace);
    if (errors.empty())
        return {ErrorKind::badInput, "The policy cannot be used", file.string(), "Check the file with signalboxctl check."};
    const Finding& first = errors.front();
    std::string where = file.string();
    if (first.position.line != 0) where += ':' + std::to_string(first.position.line) + ':' + std::to_string(first.position.column);
    std::string hint = first.hint;
    if (errors.size() > 1) hint += (hint.empty() ? "" : " ") + std::to_string(errors.size() - 1) + " more such remarks follow.";
    return {ErrorKind::badInput, first.message, where, hint};
}

PolicyDocument::PolicyDocument(QObject* parent) : QObject(parent) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(250);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, [this] { m_settle.start(); });
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, [this] { m_settle.start(); });
    connect(&m_settle, &QTimer::timeout, this, &PolicyDocument::compareWithDisk);
}

PolicyDocument::~PolicyDocument() = default;

std::shared_ptr<const table::RoutingTable> PolicyDocument::table() const { return m_workspace ? m_workspace->table.table : nullptr; }

QString PolicyDocument::title() const {
    if (!m_workspace) return {};
    const std::filesystem::path& file = m_workspace->tableFile;
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
    const std::filesystem::path table = toPath(QFileInfo(file).absoluteFilePath());
    std::vector<std::filesystem::path> configs;
    if (const auto beside = table.parent_path() / "gateway.toml"; QFile::exists(toText(beside))) configs.push_back(beside);
    if (m_workspace && !m_workspace->configFile.empty()) configs.push_back(m_workspace->configFile);
    configs.emplace_back();
    load(table, std::move(configs));
}

void PolicyDocument::reload() {
    if (m_workspace) load(m_workspace->tableFile, {m_workspace->configFile});
}

// The first configuration that fits; if none does, what the first of them said.
static Result<policy::LoadedWorkspace> loadWithFirstFitting(const std::filesystem::path& tableFile,
                                                            const std::vector<std::filesystem::path>& configFiles) {
    std::optional<Result<policy::LoadedWorkspace>> firstAnswer;
    for (const auto& configFile : configFiles) {
        auto loaded = policy::loadWorkspace(tableFile, configFile, config::processEnvironment(), SystemClock().now());
        if (loaded && loaded->snapshot) return loaded;
        if (!firstAnswer) firstAnswer = std::move(loaded);
    }
    return std::move(*firstAnswer);
}

void PolicyDocument::load(const std::filesystem::path& tableFile, std::vector<std::filesystem::path> configFiles) {
    const quint64 number = ++m_loadNumber;
    m_loading = true;
    Q_EMIT loadingChanged();
    runAsync(
        this, [tableFile, configFiles = std::move(configFiles)] { return loadWithFirstFitting(tableFile, configFiles); },
        [this, number](Result<policy::LoadedWorkspace> loaded) {
            if (number == m_loadNumber) take(std::move(loaded));
        });
}

void PolicyDocument::take(Result<policy::LoadedWorkspace> loaded) {
    m_loading = false;
    Q_EMIT loadingChanged();
    if (!loaded) {
        Q_EMIT loadFailed(inWordsOfTheUser(loaded.error()), {});
        return;
    }
    if (!loaded->snapshot) {
        const Findings errors = allErrors(*loaded);
        Q_EMIT loadFailed(refusal(*loaded, errors), errors);
        return;
    }
    // Without any gateway.toml no preset can have an endpoint: one fact, not a finding a preset.
    if (loaded->configFile.empty())
        std::erase_if(loaded->crossFindings, [](const Finding& finding) { return finding.code == "preset_without_endpoint"; });
    m_workspace = std::make_shared<const policy::LoadedWorkspace>(std::move(*loaded));
    watch();
    Q_EMIT changed();
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
    runAsync(
        this,
        [workspace = m_workspace]() -> std::pair<std::shared_ptr<const policy::LoadedWorkspace>, QString> {
            const std::pair<std::filesystem::path, std::string> files[] = {{workspace->tableFile, workspace->table.sha256},
                                                                           {workspace->configFile, workspace->config.sha256}};
            for (const auto& [path, known] : files) {
                if (path.empty()) continue;
                QFile file(toText(path));
                if (!file.open(QIODevice::ReadOnly)) continue;  // between two steps of a save, or gone: nothing to offer
                const QByteArray bytes = file.readAll();
                if (sha256Hex({bytes.constData(), static_cast<std::size_t>(bytes.size())}) != known) return {workspace, toText(path)};
            }
            return {workspace, QString()};
        },
        [this](const std::pair<std::shared_ptr<const policy::LoadedWorkspace>, QString>& answer) {
            if (answer.first == m_workspace && !answer.second.isEmpty()) Q_EMIT changedOnDisk(answer.second);
            if (m_workspace) watch();
        });
}

}  // namespace signalbox::ui
