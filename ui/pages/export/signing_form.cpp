// SPDX-License-Identifier: MIT
#include "ui/pages/export/signing_form.h"

#include "ui/pages/export/new_key_form.h"
#include "ui/widgets/basics.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/section.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

static QString userName() { return qEnvironmentVariable("USER"); }

template <class Field>
static Field* named(Field* field, const QString& objectName, const QString& accessibleName) {
    field->setObjectName(objectName);
    field->setAccessibleName(accessibleName);
    return field;
}

SigningForm::SigningForm(QWidget* parent)
    : QWidget(parent), m_folder(named(new QLineEdit, QStringLiteral("exportFolder"), tr("Folder to export to"))),
      m_choose(makeButton(tr("Choose…"), QStringLiteral("folder"))),
      m_replace(named(new QCheckBox(tr("Replace the table that is there")), QStringLiteral("exportReplace"), tr("Replace the table that is there"))),
      m_key(named(new QComboBox, QStringLiteral("exportKey"), tr("Signing key"))), m_keyNote(makeMuted({})),
      m_newKey(makeButton(tr("New key…"), QStringLiteral("plus"))), m_newKeyForm(new NewKeyForm), m_passwordLabel(new QLabel(tr("Password"))),
      m_password(named(new QLineEdit, QStringLiteral("exportPassword"), tr("Password of the signing key"))),
      m_signer(named(new QLineEdit(userName()), QStringLiteral("exportSigner"), tr("Name of the signer"))),
      m_export(makeButton(tr("Export and sign"), QStringLiteral("export"), ButtonRole::primary)), m_remark(makeMuted({})), m_progress(new QProgressBar),
      m_cancel(makeButton(tr("Cancel"))) {
    m_export->setObjectName(QStringLiteral("exportButton"));
    m_newKey->setObjectName(QStringLiteral("newKeyButton"));
    m_password->setEchoMode(QLineEdit::Password);
    m_folder->setPlaceholderText(tr("A folder for the table and its signature"));
    m_signer->setPlaceholderText(tr("Who vouches for this table"));
    m_key->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_key->setMinimumContentsLength(24);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(4);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel->setObjectName(QStringLiteral("exportCancel"));
    m_replace->hide();
    m_newKeyForm->hide();
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    makeLayout();
    for (QLineEdit* line : {m_folder, m_password, m_signer}) connect(line, &QLineEdit::textChanged, this, &SigningForm::judge);
    connect(m_folder, &QLineEdit::textChanged, this, [this] { offerReplace(false); });
    connect(m_key, &QComboBox::currentIndexChanged, this, &SigningForm::judge);
    connect(m_choose, &QPushButton::clicked, this, &SigningForm::chooseFolder);
    connect(m_newKey, &QPushButton::clicked, this, &SigningForm::openNewKey);
    connect(m_newKeyForm, &NewKeyForm::wanted, this, &SigningForm::newKeyWanted);
    connect(m_newKeyForm, &NewKeyForm::cancelled, this, &SigningForm::closeNewKey);
    connect(m_export, &QPushButton::clicked, this, &SigningForm::exportWanted);
    connect(m_cancel, &QPushButton::clicked, this, &SigningForm::cancelWanted);
    connect(m_password, &QLineEdit::returnPressed, m_export, &QPushButton::click);
    judge();
}

void SigningForm::makeLayout() {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(Theme::kGapWide);
    grid->setVerticalSpacing(Theme::kGap);
    grid->setColumnStretch(1, 1);
    int row = 0;
    const auto addRow = [&](QLabel* label, QWidget* field, QWidget* button = nullptr) {
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row, 1, 1, button == nullptr ? 2 : 1);
        if (button != nullptr) grid->addWidget(button, row, 2);
        ++row;
    };
    addRow(new QLabel(tr("Folder")), m_folder, m_choose);
    grid->addWidget(m_replace, row++, 1, 1, 2);
    addRow(new QLabel(tr("Key")), m_key, m_newKey);
    grid->addWidget(m_keyNote, row++, 1, 1, 2);
    grid->addWidget(m_newKeyForm, row++, 1, 1, 2);
    addRow(m_passwordLabel, m_password);
    addRow(new QLabel(tr("Signer")), m_signer);
    auto* section = new Section(tr("Who vouches for it"));
    section->body()->addLayout(grid);
    section->body()->addSpacing(Theme::kGap);
    section->body()->addWidget(m_remark);
    auto* action = new QHBoxLayout;
    action->addStretch();
    action->addWidget(m_cancel);
    action->addWidget(m_export);
    section->body()->addLayout(action);
    section->body()->addWidget(m_progress);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(section);
    m_progress->hide();
    m_cancel->hide();
}

void SigningForm::setKeys(const signing::KeyList& keys, const std::filesystem::path& keyFolder) {
    m_keys.clear();
    m_key->clear();
    for (const signing::ListedKey& key : keys.keys) {
        if (!key.hasSecret) continue;
        m_keys.push_back(key);
        m_key->addItem(tr("%1, key %2").arg(QString::fromStdU16String(key.files.secret.filename().u16string()), format::text(key.key.idText())));
    }
    m_key->setEnabled(!m_busy && !m_keys.empty());
    QStringList notes;
    if (m_keys.empty()) notes << tr("There is no signing key in %1 yet. Create one: it takes a moment and stays on this machine.").arg(QString::fromStdU16String(keyFolder.u16string()));
    for (const Error& error : keys.unreadable) notes << tr("%1: %2").arg(format::text(error.where), format::text(error.message));
    m_keyNote->setText(notes.join(QLatin1Char('\n')));
    m_keyNote->setVisible(!notes.isEmpty());
    judge();
}

void SigningForm::selectKey(const std::filesystem::path& secretFile) {
    for (std::size_t i = 0; i < m_keys.size(); ++i)
        if (m_keys[i].files.secret == secretFile) m_key->setCurrentIndex(static_cast<int>(i));
}

void SigningForm::setBusy(const QString& what) {
    // A part that is disabled loses the focus to somewhere else in the window; it gets it back.
    QWidget* focused = focusWidget();
    if (!m_busy) m_focusedBefore = focused != nullptr && focused->hasFocus() ? focused : nullptr;
    m_busy = !what.isEmpty();
    m_progress->setVisible(m_busy);
    m_newKeyForm->setBusy(m_busy);
    for (QWidget* part : QList<QWidget*>{m_folder, m_choose, m_replace, m_newKey, m_password, m_signer}) part->setEnabled(!m_busy);
    m_key->setEnabled(!m_busy && !m_keys.empty());
    m_cancel->setVisible(m_busy);
    judge();
    if (m_busy && m_focusedBefore) m_cancel->setFocus();
    if (m_busy) m_remark->setText(what);
    else if (m_focusedBefore && m_focusedBefore->isVisible()) m_focusedBefore->setFocus();
}

void SigningForm::offerReplace(bool offer) {
    m_replace->setVisible(offer);
    m_replace->setChecked(false);
    if (offer) m_replace->setFocus();
}

void SigningForm::clearPassword() { m_password->clear(); }

void SigningForm::closeNewKey() {
    m_newKeyForm->hide();
    m_newKey->show();
    (m_password->isVisible() ? static_cast<QWidget*>(m_password) : m_newKey)->setFocus();
}

void SigningForm::openNewKey() {
    m_newKey->hide();
    m_newKeyForm->show();
    m_newKeyForm->start(m_keys.empty() ? QStringLiteral("default") : QString());
}

void SigningForm::setReady(bool ready) {
    m_ready = ready;
    judge();
}

QString SigningForm::missing() const {
    if (!m_ready) return tr("There is no table that could be exported.");
    if (folder().isEmpty()) return tr("Choose the folder that the two files go to.");
    if (!key()) return tr("Choose or create a signing key.");
    if (key()->needsPassword && m_password->text().isEmpty()) return tr("Type the password of this key.");
    if (signer().isEmpty()) return tr("Say who signs; the name stands in the signature.");
    return {};
}

void SigningForm::judge() {
    m_key->setToolTip(plainTip(m_key->currentText()));  // its end is cut in a narrow window
    const bool needsPassword = key() && key()->needsPassword;
    m_password->setVisible(needsPassword);
    m_passwordLabel->setVisible(needsPassword);
    const QString missing = this->missing();
    m_export->setEnabled(!m_busy && missing.isEmpty());
    if (!m_busy) m_remark->setText(missing.isEmpty() ? tr("Writes routing-table.json and routing-table.json.minisig, then verifies both.") : missing);
}

void SigningForm::chooseFolder() {
    auto* dialog = new QFileDialog(this, tr("Folder to export to"), m_folder->text().isEmpty() ? QDir::homePath() : m_folder->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, m_folder, &QLineEdit::setText);
    dialog->open();
}

QString SigningForm::folder() const { return m_folder->text().trimmed(); }
QString SigningForm::signer() const { return m_signer->text().trimmed(); }
QString SigningForm::password() const { return m_password->text(); }
bool SigningForm::replace() const { return m_replace->isVisibleTo(this) && m_replace->isChecked(); }

std::optional<signing::ListedKey> SigningForm::key() const {
    const int index = m_key->currentIndex();
    if (index < 0 || index >= static_cast<int>(m_keys.size())) return std::nullopt;
    return m_keys[static_cast<std::size_t>(index)];
}

}  // namespace signalbox::ui
