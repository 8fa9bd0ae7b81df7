// SPDX-License-Identifier: MIT
#include "ui/document/models_import.h"

#include "router/base/file.h"
#include "router/strategy/registry.h"

namespace signalbox::ui {

Result<ImportPreview> previewImport(const QString& file, const std::string& configText) {
    constexpr std::size_t kMaxBytes = std::size_t{4} << 20;  // the importer's own limit is lower and says so in its words
    const auto yaml = readFile(file.toStdString(), kMaxBytes);
    if (!yaml) return tl::unexpected(yaml.error());
    const auto judge = [](const config::Model& model) {
        config::GatewayConfig alone;
        alone.models.push_back(model);
        return strategy::checkRouters(alone);
    };
    return ImportPreview{configText, config::importModels(*yaml, configText, judge)};
}

Result<void> applyImport(PolicyDocument& document, const ImportPreview& preview) {
    const auto edit = [base = preview.base, after = preview.import->text](std::string_view text) -> Result<std::string> {
        if (text == base) return after;
        return fail(ErrorKind::conflict, "gateway.toml was edited since the models were looked at", {}, "Import them again.");
    };
    return document.editConfig(PolicyDocument::tr("import of models"), edit);
}

}  // namespace signalbox::ui
