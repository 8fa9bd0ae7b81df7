// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/import_models.h"
#include "ui/document/policy_document.h"

namespace signalbox::ui {

/// A models registry added to the draft's gateway.toml, for the operator to look at before it is.
struct ImportPreview {
    std::string base;  ///< the draft's gateway.toml it was added to
    tl::expected<config::ModelsImport, config::ImportRefusal> import;
};
/// Reads `file` and adds it to `configText`, judged by the strategies. Blocks on the disk: call it from a worker. Errors:
/// a file that cannot be read.
[[nodiscard]] Result<ImportPreview> previewImport(const QString& file, const std::string& configText);
/// Makes it one undoable step of the draft. Error: conflict when gateway.toml became another one since the preview.
[[nodiscard]] Result<void> applyImport(PolicyDocument& document, const ImportPreview& preview);

}  // namespace signalbox::ui
