// SPDX-License-Identifier: MIT
#include "ui/dialogs/target_dialog.h"

#include "ui/bridge/targets.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/forms/form_field.h"
#include "ui/widgets/tone_label.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr int kDialogWidth = 520;

TargetDialog::TargetDialog(Targets* targets, QWidget* parent)
    : QDialog(parent), m_targets(targets), m_name(new QLineEdit), m_url(new QLineEdit), m_token(new QLineEdit), m_variable(new QLineEdit), m_caFile(new QLineEdit),
      m_source(new QComboBox), m_outcome(new ToneLabel), m_browse(makeButton(tr("Choose…"), QStringLiteral("folder"))), m_test(makeButton(tr("Test the connection"), QStringLiteral("link"))),
      m_add(makeButton(tr("Add"), {}, ButtonRole::primary)), m_cancel(makeButton(tr("Cancel"))) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("targetDialog"));
    setWindowTitle(tr("Add a gateway"));
    setModal(true);
    m_name->setPlaceholderText(tr("for example prod-a"));
    m_url->setPlaceholderText(tr("for example https://gateway.example:38082"));
    m_token->setEchoMode(QLineEdit::Password);
    m_variable->setText(QStringLiteral("SIGNALBOX_ADMIN_TOKEN"));
    m_caFile->setPlaceholderText(tr("the certificates that this computer trusts"));
    m_source->addItem(tr("The keyring of this desktop keeps it"));
    m_source->addItem(tr("An environment variable holds it"));
    if (!m_targets->hasKeyring()) m_source->setCurrentIndex(1);
    makeLayout();
    for (QLineEdit* line : {m_name, m_url, m_token, m_variable, m_caFile}) connect(line, &QLineEdit::textChanged, this, &TargetDialog::judge);
    connect(m_source, &QComboBox::currentIndexChanged, this, &TargetDialog::judge);
    connect(m_browse, &QPushButton::clicked, this, &TargetDialog::chooseCaFile);
    connect(m_test, &QPushButton::clicked, this, &TargetDialog::test);
    connect(m_add, &QPushButton::clicked, this, &TargetDialog::add);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_add->setDefault(true);
    judge();
    m_name->setFocus();
}

FormField* TargetDialog::addField(const QString& name, const char* objectName, QWidget* control) {
    control->setObjectName(QString::fromLatin1(objectName));
    auto* field = new FormField(name, control);
    layout()->addWidget(field);
    return field;
}

void TargetDialog::makeLayout() {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(Theme::kSection, Theme::kMargin, Theme::kSection, Theme::kMargin);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(makeMuted(tr("A running gateway, reached by its admin API. The token is in the file admin-token of its state folder; signalboxctl serve says where that is.")));
    m_nameField = addField(tr("Name"), "target.name", m_name);
    m_urlField = addField(tr("Address"), "target.url", m_url);
    m_caField = addField(tr("CA file, for a certificate of your own"), "target.ca", m_caFile);
    m_browse->setObjectName(QStringLiteral("target.browse"));
    m_browse->setAccessibleName(tr("Choose the CA file"));
    layout->addWidget(m_browse, 0, Qt::AlignLeft);
    addField(tr("Admin token"), "target.source", m_source);
    m_tokenField = addField(tr("The token"), "target.token", m_token);
    m_variableField = addField(tr("Variable"), "target.variable", m_variable);
    m_outcome->setObjectName(QStringLiteral("target.outcome"));
    m_test->setObjectName(QStringLiteral("target.test"));
    m_add->setObjectName(QStringLiteral("target.add"));
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(Theme::kGap);
    buttons->addWidget(m_test);
    buttons->addStretch(1);
    buttons->addWidget(m_cancel);
    buttons->addWidget(m_add);
    layout->addWidget(m_outcome);
    layout->addStretch(1);
    layout->addLayout(buttons);
    resize(kDialogWidth, sizeHint().height());
}

bool TargetDialog::isVariable() const { return m_source->currentIndex() == 1; }

NamedTarget TargetDialog::target() const {
    QString url = m_url->text().trimmed();
    if (!url.isEmpty() && !url.contains(QLatin1String("://"))) url.prepend(QStringLiteral("http://"));
    return {m_name->text().trimmed(), url, isVariable() ? m_variable->text().trimmed() : QString(), m_caFile->text().trimmed()};
}

static bool isFarAndOpen(const QString& text) {
    const QUrl url(text);
    const QString host = url.host();
    const bool isNear = host.isEmpty() || host == QLatin1String("localhost") || host == QLatin1String("::1") || host.startsWith(QLatin1String("127."));
    return url.scheme() == QLatin1String("http") && !isNear;
}

void TargetDialog::judge() {
    for (FormField* field : {m_nameField, m_urlField, m_tokenField, m_variableField, m_caField}) field->accept();
    m_tokenField->setVisible(!isVariable());
    m_variableField->setVisible(isVariable());
    const NamedTarget wanted = target();
    m_urlField->remark(Tone::caution, isFarAndOpen(wanted.url) ? tr("The admin token travels unencrypted over this network: use https or a tunnel.") : QString());
    const bool hasToken = isVariable() ? !wanted.tokenVariable.isEmpty() : !m_token->text().trimmed().isEmpty();
    const QString taken = wanted.name.isEmpty() ? QString() : m_targets->whyNotName(wanted.name);
    m_nameField->remark(Tone::caution, taken);
    m_test->setEnabled(!m_busy && !wanted.url.isEmpty() && hasToken);
    m_add->setEnabled(m_test->isEnabled() && !wanted.name.isEmpty() && taken.isEmpty());
    if (!m_busy) m_outcome->set(Tone::idle, tr("Nothing is asked of it until you test or add it."));
}

void TargetDialog::setBusy(const QString& what) {
    m_busy = !what.isEmpty();
    judge();
    if (m_busy) m_outcome->set(Tone::info, what);
}

void TargetDialog::test() {
    setBusy(tr("Asking…"));
    m_targets->test(target(), m_token->text(), [guard = QPointer(this), this](const Result<engine::TargetStatus>& answer) {
        if (!guard) return;
        setBusy({});
        if (!answer) return refuse(answer.error());
        m_outcome->set(Tone::clear, tr("It answers: %1, mode %2, policy %3").arg(format::text(answer->name), format::text(answer->mode), format::shortHash(answer->runningHash)));
        if (m_name->text().trimmed().isEmpty()) m_name->setPlaceholderText(format::text(answer->name));
    });
}

void TargetDialog::add() {
    setBusy(tr("Adding…"));
    m_targets->add(target(), m_token->text(), [guard = QPointer(this), this, name = target().name](const Result<void>& done) {
        if (!guard) return;
        setBusy({});
        if (!done) return refuse(done.error());
        Q_EMIT added(name);
        accept();
    });
}

static QString wordsOf(const Error& error) {
    QString text = format::sentence(error.message);
    if (!error.hint.empty()) text += QStringLiteral(". ") + format::text(error.hint);
    return text;
}

void TargetDialog::refuse(const Error& error) {
    const bool isAboutCertificate = error.message.find("certificate") != std::string::npos || error.message.find("CA file") != std::string::npos;
    const bool isAboutToken = error.kind == ErrorKind::denied || error.message.find("token") != std::string::npos || error.message.find("keyring") != std::string::npos;
    FormField* field = isAboutCertificate ? m_caField : isAboutToken ? (isVariable() ? m_variableField : m_tokenField) : m_urlField;
    field->refuse(wordsOf(error));
    field->control()->setFocus();
    m_outcome->set(Tone::danger, format::sentence(error.message));
    m_outcome->setToolTip(plainTip(format::text(error.text())));
}

void TargetDialog::chooseCaFile() {
    auto* chooser = new QFileDialog(this, tr("Certificates to trust"), {}, tr("PEM files (*.pem *.crt);;All files (*)"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setFileMode(QFileDialog::ExistingFile);
    connect(chooser, &QFileDialog::fileSelected, m_caFile, &QLineEdit::setText);
    chooser->open();
}

}  // namespace signalbox::ui
