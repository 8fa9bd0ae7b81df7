// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace signalbox::ui {

/// Name and password of a new signing key.
class NewKeyForm : public QWidget {
    Q_OBJECT
public:
    explicit NewKeyForm(QWidget* parent = nullptr);
    void start(const QString& suggestedName);
    void setBusy(bool busy);

Q_SIGNALS:
    void wanted(const QString& name, const QString& password);
    void cancelled();

private:
    void judge();

    QLineEdit* m_name;
    QLineEdit* m_password;
    QLineEdit* m_again;
    QLabel* m_remark;
    QPushButton* m_create;
    QPushButton* m_cancel;
};

}  // namespace signalbox::ui
