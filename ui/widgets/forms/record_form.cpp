// SPDX-License-Identifier: MIT
#include "ui/widgets/forms/record_form.h"

#include "ui/theme/format.h"
#include "ui/widgets/findings_list.h"

#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

RecordForm::RecordForm(QWidget* parent) : QWidget(parent), m_body(new QVBoxLayout(this)), m_general(new FormField({}, new QWidget)) {
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(Theme::kGapWide);
    m_general->setVisible(false);
    m_body->addWidget(m_general);
}

FormField* RecordForm::addField(const QString& key, const QString& name, QWidget* control) {
    control->setObjectName(key);
    auto* made = new FormField(name, control);
    m_fields.insert(key, made);
    m_body->addWidget(made);
    return made;
}

FormField* RecordForm::fieldAt(QString path) const {
    while (!path.isEmpty()) {
        if (auto* found = field(path)) return found;
        path.truncate(std::max(path.lastIndexOf(QLatin1Char('/')), qsizetype{0}));
    }
    return nullptr;
}

static QString saying(const std::string& message, const std::string& hint) {
    return format::sentence(message) + QStringLiteral(". ") + format::text(hint);
}

void RecordForm::showFindings(const std::string& pointer, const Findings& findings) {
    QHash<FormField*, std::pair<Severity, QStringList>> said;
    for (const Finding& finding : findings) {
        const bool below = finding.pointer.starts_with(pointer) &&
                           (finding.pointer.size() == pointer.size() || finding.pointer[pointer.size()] == '/');
        if (!below) continue;
        FormField* at = fieldAt(pathBelow(finding.pointer, pointer));
        auto& [severity, texts] = said.insert(at != nullptr ? at : m_general, said.value(at != nullptr ? at : m_general, {Severity::note, {}})).value();
        severity = std::min(severity, finding.severity);
        texts << saying(finding.message, finding.hint);
    }
    QList<FormField*> all = m_fields.values();
    all << m_general;
    for (FormField* each : all) {
        const auto found = said.constFind(each);
        if (found == said.constEnd()) each->remark(Tone::idle, {});
        else each->remark(toneOf(found->first), found->second.join(QLatin1Char('\n')));
    }
    explain();
    showGeneral();
}

void RecordForm::refuse(const Error& error) {
    // "/routing_rules/3/evidence": the record's own part of it stands behind the index.
    const QString where = format::text(error.where);
    FormField* at = fieldAt(where.section(QLatin1Char('/'), 3));
    (at != nullptr ? at : m_general)->refuse(saying(error.message, error.hint));
    showGeneral();
}

void RecordForm::accept() {
    for (FormField* each : std::as_const(m_fields)) each->accept();
    m_general->accept();
    showGeneral();
}

void RecordForm::showGeneral() { m_general->setVisible(!m_general->message().isEmpty()); }

QString pathBelow(const std::string& where, const std::string& element) {
    return where.size() > element.size() + 1 && where.starts_with(element) ? format::text(where.substr(element.size() + 1)) : QString();
}

}  // namespace signalbox::ui
