// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/import_models.h"

#include <QDialog>

class QTreeWidget;

namespace signalbox::ui {

/// What an import of models would do, before it does: conflicts, what is left out and why, what changes, what is carried.
/// Accepted when the operator wants it.
class ImportDialog : public QDialog {
    Q_OBJECT
public:
    ImportDialog(const QString& file, const config::ModelsImport& import, bool changesAnything, QWidget* parent = nullptr);

private:
    void fill(QTreeWidget* list, const config::ModelsImport& import);
    [[nodiscard]] QString summary(const config::ModelsImport& import, bool changesAnything) const;
};

}  // namespace signalbox::ui
