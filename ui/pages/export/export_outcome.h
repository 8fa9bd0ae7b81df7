// SPDX-License-Identifier: MIT
#pragma once

#include "ui/document/table_export.h"

#include <QWidget>

class QVBoxLayout;

namespace signalbox::ui {

/// How the last export went: what was verified and how a receiver verifies it, or what failed and what to do.
class ExportOutcome : public QWidget {
    Q_OBJECT
public:
    explicit ExportOutcome(QWidget* parent = nullptr);
    void show(const ExportResult& result, const signing::KeyPair& key);
    /// `title` says what did not happen.
    void show(const QString& title, const Error& error);
    void clear();
    /// The keyboard goes to what can be copied.
    void takeFocus();

private:
    QVBoxLayout* m_layout;
};

}  // namespace signalbox::ui
