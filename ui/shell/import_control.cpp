// SPDX-License-Identifier: MIT
#include "ui/shell/import_control.h"

#include "ui/bridge/async.h"
#include "ui/document/models_import.h"
#include "ui/shell/import_dialog.h"
#include "ui/widgets/findings_list.h"

#include <QFileDialog>

namespace signalbox::ui {

ImportControl::ImportControl(const PageContext& context, QAction* action, QWidget* window)
    : QObject(window), m_context(context), m_action(action), m_window(window) {
    connect(m_action, &QAction::triggered, this, &ImportControl::choose);
    connect(m_context.document, &PolicyDocument::changed, this, &ImportControl::refresh);
    connect(m_context.document, &PolicyDocument::busyChanged, this, &ImportControl::refresh);
    refresh();
}

void ImportControl::refresh() { m_action->setEnabled(m_context.document->canEditConfig() && !m_context.document->isBusy()); }

void ImportControl::choose() {
    auto* chooser = new QFileDialog(m_window, tr("Import a models registry"), m_context.document->folder(), tr("Models registry (*.yaml *.yml);;All files (*)"));
    chooser->setObjectName(QStringLiteral("import.file"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, this, &ImportControl::importFile);
    chooser->open();
}

void ImportControl::importFile(const QString& file) {
    runAsync(
        this, [file, text = m_context.document->configText()] { return previewImport(file, text); },
        [this, file](Result<ImportPreview> preview) {
            if (!preview) return m_context.complain(preview.error());
            show(file, std::make_shared<ImportPreview>(std::move(*preview)));
        });
}

void ImportControl::show(const QString& file, const std::shared_ptr<ImportPreview>& preview) {
    if (!preview->import) {
        const config::ImportRefusal& refusal = preview->import.error();
        const bool inRegistry = refusal.in == config::ImportRefusal::In::registry;
        const Finding& first = refusal.findings.front();
        const std::string where = (inRegistry ? file.toStdString() : std::string("gateway.toml")) +
                                  (first.position.line == 0 ? "" : ":" + std::to_string(first.position.line) + ":" + std::to_string(first.position.column));
        m_context.complain({ErrorKind::badInput, first.message, where, first.hint});
        if (refusal.findings.size() > 1) m_context.inspect(new FindingsList(refusal.findings), tr("Why nothing was imported"));
        return;
    }
    const bool changesAnything = preview->import->text != preview->base;
    auto* dialog = new ImportDialog(file, *preview->import, changesAnything, m_window);
    connect(dialog, &QDialog::accepted, this, [this, preview] {
        const auto applied = applyImport(*m_context.document, *preview);
        if (!applied) return m_context.complain(applied.error());
        m_context.say(tr("The models are in the draft; Undo takes them out again"));
    });
    dialog->open();
}

}  // namespace signalbox::ui
