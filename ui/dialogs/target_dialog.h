// SPDX-License-Identifier: MIT
#pragma once

#include "ui/settings/settings.h"

#include "router/base/error.h"

#include <QDialog>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace signalbox::ui {

class FormField;
class Targets;
class ToneLabel;

/// Adds a gateway elsewhere: what it is called, where it is, how its certificate is trusted, where its admin token
/// comes from. The connection can be tried before; what is wrong stands at the field that mends it.
class TargetDialog : public QDialog {
    Q_OBJECT
public:
    explicit TargetDialog(Targets* targets, QWidget* parent = nullptr);

Q_SIGNALS:
    void added(const QString& name);

private:
    void makeLayout();
    FormField* addField(const QString& name, const char* objectName, QWidget* control);
    [[nodiscard]] NamedTarget target() const;
    [[nodiscard]] bool isVariable() const;
    void judge();
    void test();
    void add();
    void setBusy(const QString& what);
    /// At the field that can mend it.
    void refuse(const Error& error);
    void chooseCaFile();

    Targets* m_targets;
    QLineEdit *m_name, *m_url, *m_token, *m_variable, *m_caFile;
    QComboBox* m_source;
    FormField *m_nameField = nullptr, *m_urlField = nullptr, *m_tokenField = nullptr, *m_variableField = nullptr, *m_caField = nullptr;
    ToneLabel* m_outcome;
    QPushButton *m_browse, *m_test, *m_add, *m_cancel;
    bool m_busy = false;
};

}  // namespace signalbox::ui
