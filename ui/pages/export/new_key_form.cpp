// SPDX-License-Identifier: MIT
#include "ui/pages/export/new_key_form.h"

#include "ui/widgets/basics.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

static QLineEdit* makeLine(const QString& name, QLineEdit::EchoMode mode) {
    auto* line = new QLineEdit;
    line->setAccessibleName(name);
    line->setEchoMode(mode);
    return line;
}

NewKeyForm::NewKeyForm(QWidget* parent)
    : QWidget(parent), m_name(makeLine(tr("Name of the new key"), QLineEdit::Normal)),
      m_password(makeLine(tr("Password of the new key"), QLineEdit::Password)), m_again(makeLine(tr("Password again"), QLineEdit::Password)),
      m_remark(makeMuted({})), m_create(makeButton(tr("Create key"), QStringLiteral("key"))), m_cancel(makeButton(tr("Cancel"), {}, ButtonRole::quiet)) {
    setAccessibleName(tr("New signing key"));
    m_name->setObjectName(QStringLiteral("newKeyName"));
    m_password->setObjectName(QStringLiteral("newKeyPassword"));
    m_again->setObjectName(QStringLiteral("newKeyAgain"));
    m_create->setObjectName(QStringLiteral("newKeyCreate"));
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(tr("Name"), m_name);
    form->addRow(tr("New password"), m_password);  // another one stands below, of the key that is chosen
    form->addRow(tr("Again"), m_again);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_create);
    buttons->addWidget(m_cancel);
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(form);
    layout->addWidget(m_remark);
    layout->addLayout(buttons);
    for (QLineEdit* line : {m_name, m_password, m_again}) connect(line, &QLineEdit::textChanged, this, &NewKeyForm::judge);
    for (QLineEdit* line : {m_name, m_password, m_again}) connect(line, &QLineEdit::returnPressed, m_create, &QPushButton::click);
    connect(m_create, &QPushButton::clicked, this, [this] {
        m_create->setText(tr("Creating…"));
        Q_EMIT wanted(m_name->text().trimmed(), m_password->text());
    });
    connect(m_cancel, &QPushButton::clicked, this, &NewKeyForm::cancelled);
    judge();
}

void NewKeyForm::start(const QString& suggestedName) {
    m_name->setText(suggestedName);
    m_password->clear();
    m_again->clear();
    m_name->setFocus();
    m_name->selectAll();
}

void NewKeyForm::setBusy(bool busy) {
    for (QWidget* part : QList<QWidget*>{m_name, m_password, m_again}) part->setEnabled(!busy);
    m_cancel->setVisible(!busy);  // whoever opened this form has one that calls off what is under way
    if (busy) return m_create->setEnabled(false);
    m_create->setText(tr("Create key"));
    judge();
}

void NewKeyForm::judge() {
    QString remark;
    if (m_name->text().trimmed().isEmpty()) remark = tr("Give the key a name.");
    else if (m_password->text().isEmpty()) remark = tr("The password encrypts the key on this disk. Nobody can restore it.");
    else if (m_password->text() != m_again->text()) remark = tr("The two passwords differ.");
    m_create->setEnabled(remark.isEmpty());
    m_remark->setText(remark.isEmpty() ? tr("Its public half is written beside it, for those who verify.") : remark);
}

}  // namespace signalbox::ui
