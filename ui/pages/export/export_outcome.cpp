// SPDX-License-Identifier: MIT
#include "ui/pages/export/export_outcome.h"

#include "ui/widgets/basics.h"
#include "ui/widgets/copy_field.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fact_list.h"
#include "ui/theme/format.h"
#include "ui/widgets/section.h"
#include "ui/widgets/tone_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

static QString pathText(const std::filesystem::path& path) { return QString::fromStdU16String(path.u16string()); }

/// For a shell, whatever the path holds.
static QString quoted(const QString& text) {
    QString inside = text;
    return QLatin1Char('\'') + inside.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

/// The signature's own words, without the fractions of a second: "2026-11-29 18:32:26 UTC".
static QString atText(const std::string& iso) {
    constexpr int kToTheSecond = 19;
    return format::text(iso).left(kToTheSecond).replace(QLatin1Char('T'), QLatin1Char(' ')) + QStringLiteral(" UTC");
}

ExportOutcome::ExportOutcome(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    setObjectName(QStringLiteral("exportOutcome"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void ExportOutcome::clear() {
    clearLayout(m_layout);
    hide();
}

void ExportOutcome::takeFocus() {
    if (auto* field = findChild<CopyField*>()) field->setFocus();
}

static void addCommand(Section* section, const QString& name, const QString& command) {
    auto* label = makeMuted(name);
    label->setFont(Theme::instance().smallFont());
    auto* field = new CopyField(name, CopyField::Kind::open);
    field->setValue(command);
    section->body()->addWidget(label);
    section->body()->addWidget(field);
}

void ExportOutcome::show(const ExportResult& result, const signing::KeyPair& key) {
    clear();
    auto* section = new Section(tr("Exported and verified"));
    section->body()->addWidget(new ToneLabel(Tone::clear, tr("Signed by %1, key %2").arg(format::text(result.verified.signerText()), format::text(result.verified.key.idText()))));
    auto* facts = new FactList;
    facts->addWidget(tr("Table"), new ElidedLabel(pathText(result.table), Qt::ElideMiddle));
    facts->addWidget(tr("Signature"), new ElidedLabel(pathText(result.signature), Qt::ElideMiddle));
    facts->addId(tr("SHA-256"), format::text(result.verified.sha256));
    if (!result.verified.facts.policyVersion.empty()) facts->addText(tr("Policy version"), format::text(result.verified.facts.policyVersion));
    facts->addText(tr("Signed at"), atText(result.verified.facts.at));
    section->body()->addWidget(facts);
    addCommand(section, tr("Verify with stock minisign"), QStringLiteral("minisign -Vm %1 -P %2").arg(quoted(pathText(result.table)), format::text(result.verified.key.base64())));
    addCommand(section, tr("Verify with Signalbox"), QStringLiteral("signalboxctl verify %1 --key %2").arg(quoted(pathText(result.table)), quoted(pathText(key.publicKey()))));
    addCommand(section, tr("Public key, for those who verify"), format::text(result.verified.key.base64()));
    m_layout->addWidget(section);
    setVisible(true);
}

void ExportOutcome::show(const QString& title, const Error& error) {
    clear();
    auto* section = new Section(title);
    auto* message = new QHBoxLayout;
    message->addWidget(new ToneLabel(Tone::danger, tr("refused")), 0, Qt::AlignTop);
    message->addWidget(makeLabel(format::sentence(error.message)), 1, Qt::AlignTop);
    section->body()->addLayout(message);
    if (!error.where.empty()) section->body()->addWidget(new ElidedLabel(format::text(error.where), Qt::ElideMiddle));
    if (!error.hint.empty()) section->body()->addWidget(makeMuted(format::text(error.hint)));
    m_layout->addWidget(section);
    setVisible(true);
}

}  // namespace signalbox::ui
