// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/import_models.h"
#include "router/config/read.h"
#include "router/strategy/registry.h"
#include "tests/router/config/config_support.h"

#include <QFile>
#include <QTest>

namespace signalbox::test {

inline Findings judgeModel(const config::Model& model) {
    config::GatewayConfig alone;
    alone.models.push_back(model);
    return strategy::checkRouters(alone);
}

inline QByteArray registryFile(const char* name) {
    QFile file(QStringLiteral(SIGNALBOX_SOURCE_DIR "/tests/data/registries/") + QString::fromUtf8(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The report as `outcome path line:column code: message. hint` a line.
inline QByteArray reportText(const config::ModelsImport& import) {
    std::string out;
    for (const config::ImportEntry& entry : import.report) {
        const Finding& f = entry.finding;
        out += std::string(config::toString(entry.outcome)) + ' ' + f.pointer + ' ' + std::to_string(f.position.line) + ':' +
               std::to_string(f.position.column) + ' ' + f.code + ": " + f.message + ". " + f.hint + '\n';
    }
    return QByteArray::fromStdString(out);
}

/// An import that must succeed, and what its text reads as.
struct Imported {
    config::ModelsImport import;
    std::shared_ptr<const config::GatewayConfig> config;
    QByteArray trouble;  ///< empty when all went well

    [[nodiscard]] const config::ImportEntry* find(std::string_view code, std::string_view path = {}) const {
        for (const config::ImportEntry& entry : import.report)
            if (entry.finding.code == code && (path.empty() || entry.finding.pointer == path)) return &entry;
        return nullptr;
    }
    [[nodiscard]] bool says(config::ImportOutcome outcome, std::string_view code, std::string_view path = {}) const {
        const config::ImportEntry* entry = find(code, path);
        return entry != nullptr && entry->outcome == outcome;
    }
};

inline Imported importText(std::string_view yaml, std::string_view toml = {}, bool judged = true) {
    Imported out;
    auto import = config::importModels(yaml, toml, judged ? config::ModelJudge(judgeModel) : config::ModelJudge());
    if (!import) {
        out.trouble = "refused:" + listed(import.error().findings);
        return out;
    }
    out.import = std::move(*import);
    const config::LoadedConfig loaded = config::readConfig(out.import.text);
    out.config = loaded.config;
    if (!loaded.config) out.trouble = "does not read back:" + listed(loaded.findings);
    return out;
}

inline Imported importFile(const char* name, std::string_view toml = {}) { return importText(registryFile(name).toStdString(), toml); }

#define VERIFY_IMPORTED(imported) QVERIFY2((imported).trouble.isEmpty() && (imported).config, (imported).trouble.constData())

}  // namespace signalbox::test
