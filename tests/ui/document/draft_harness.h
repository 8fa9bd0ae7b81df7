// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/fakes.h"
#include "ui/document/policy_document.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <map>

namespace signalbox::test {

/// A workspace of its own, a document over it with a clock that stands still, and everything it complained about.
class DraftHarness {
public:
    enum class Table { ours, foreign };

    explicit DraftHarness(Table table = Table::ours) {
        for (const char* name : {"gateway.toml", "routing-table.json"})
            QFile::copy(QStringLiteral(SIGNALBOX_SOURCE_DIR "/tests/ui/document/workspace/") + QString::fromLatin1(name), file(name));
        for (const char* name : {"gateway.toml", "routing-table.json"}) QFile::setPermissions(file(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup);
        if (table == Table::ours) put("routing-table.json", get("routing-table.json").replace("harrow-bench/2025.11", "signalbox/0.1.0"));
        options.clock = clock;
        options.environment = [this](const std::string& name) -> std::optional<std::string> {
            const auto it = environment.find(name);
            return it == environment.end() ? std::nullopt : std::optional(it->second);
        };
        options.recoveryFolder = std::filesystem::path(folder.filePath(QStringLiteral("state/drafts")).toStdString());
        options.autosaveAfter = std::chrono::milliseconds(1);
        start();
    }

    /// A new document over the same folders, as a second start of the program.
    void start() {
        document = std::make_unique<ui::PolicyDocument>(options);
        QObject::connect(document.get(), &ui::PolicyDocument::loadFailed, document.get(), [this](const Error& error, const Findings&) { errors.push_back(error); });
        QObject::connect(document.get(), &ui::PolicyDocument::saveFailed, document.get(), [this](const Error& error) { errors.push_back(error); });
        QObject::connect(document.get(), &ui::PolicyDocument::editRefused, document.get(), [this](const Error& error) { errors.push_back(error); });
        QObject::connect(document.get(), &ui::PolicyDocument::recoveryRefused, document.get(), [this](const Error& error) { errors.push_back(error); });
    }
    [[nodiscard]] bool open() {
        document->openWorkspace(path());
        return QTest::qWaitFor([this] { return document->workspace() != nullptr && !document->isBusy(); }, 10'000);
    }
    [[nodiscard]] bool save() {
        const QSignalSpy saved(document.get(), &ui::PolicyDocument::saved);
        document->save();
        return QTest::qWaitFor([&saved] { return !saved.isEmpty(); }, 10'000);
    }
    [[nodiscard]] QString path() const { return folder.filePath(QStringLiteral("workspace")); }
    [[nodiscard]] QString file(const char* name) const {
        QDir().mkpath(path());
        return path() + QLatin1Char('/') + QString::fromLatin1(name);
    }
    [[nodiscard]] QByteArray get(const char* name) const {
        QFile in(file(name));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    void put(const char* name, const QByteArray& bytes) const {
        QFile out(file(name));
        if (out.open(QIODevice::WriteOnly | QIODevice::Truncate)) out.write(bytes);
    }
    /// The kept draft's file; empty when none is kept.
    [[nodiscard]] QStringList kept() const {
        return QDir(QString::fromStdString(options.recoveryFolder.string())).entryList({QStringLiteral("*.json")}, QDir::Files);
    }

    QTemporaryDir folder;
    std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
    std::map<std::string, std::string> environment;
    ui::DocumentOptions options;
    std::unique_ptr<ui::PolicyDocument> document;
    std::vector<Error> errors;
};

/// Replaces the first `from` by `to`; an error where there is none.
[[nodiscard]] inline ui::PolicyDocument::TextEdit replacing(std::string from, std::string to) {
    return [from = std::move(from), to = std::move(to)](std::string_view text) -> Result<std::string> {
        std::string out(text);
        const auto at = out.find(from);
        if (at == std::string::npos) return fail(ErrorKind::notFound, "there is no " + from);
        return out.replace(at, from.size(), to);
    };
}

}  // namespace signalbox::test
