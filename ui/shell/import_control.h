// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <QAction>

namespace signalbox::ui {

struct ImportPreview;

/// "Import models…": asks for a registry in YAML, shows what would become of it, and adds it to the draft.
class ImportControl : public QObject {
    Q_OBJECT
public:
    /// `action` starts it and is enabled while a gateway.toml is open.
    ImportControl(const PageContext& context, QAction* action, QWidget* window);

    void importFile(const QString& file);

private:
    void choose();
    void refresh();
    void show(const QString& file, const std::shared_ptr<ImportPreview>& preview);

    PageContext m_context;
    QAction* m_action;
    QWidget* m_window;
};

}  // namespace signalbox::ui
