// SPDX-License-Identifier: MIT
#include "ui/pages/access/field_form.h"

#include "router/config/source.h"
#include "ui/document/policy_document.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/findings_list.h"

#include <QFileInfo>
#include <QLabel>
#include <QPointer>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

namespace {

QString configName(const policy::LoadedWorkspace& workspace) {
    return QFileInfo(QString::fromStdU16String(workspace.configFile.u16string())).fileName();
}

/// The worst finding at a value or at one of its elements; null when there is none.
const Finding* worstAt(const policy::LoadedWorkspace& workspace, const std::string& dotted) {
    const Finding* worst = nullptr;
    for (const Findings* list : {&workspace.config.findings, &workspace.crossFindings})
        for (const Finding& finding : *list) {
            const bool here = finding.pointer == dotted || finding.pointer.starts_with(dotted + "[");
            if (here && (worst == nullptr || finding.severity < worst->severity)) worst = &finding;
        }
    return worst;
}

QString wordsOf(const Finding& finding) {
    QString text = format::sentence(finding.message);
    if (!finding.hint.empty()) text += QStringLiteral(". ") + format::text(finding.hint);
    return text;
}

}  // namespace

QString inWords(const Error& error) {
    QString text = format::sentence(error.message);
    if (!error.hint.empty()) text += QStringLiteral(". ") + format::text(error.hint);
    return text;
}

FieldForm::FieldForm(PolicyDocument* document, config::Environment environment, FormSubject subject, std::vector<BoundField> fields, QWidget* parent)
    : QWidget(parent), m_document(document), m_environment(std::move(environment)), m_subject(std::move(subject)), m_fields(std::move(fields)),
      m_top(makeLabel({})) {
    setObjectName(QStringLiteral("form"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    m_top->setVisible(false);
    layout->addWidget(m_top);
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        auto* editor = new FieldEditor(m_fields[i].spec);
        editor->setReadOnly(!document->canEditConfig());
        layout->addWidget(editor);
        m_editors.push_back(editor);
        connect(editor, &FieldEditor::edited, this, [this, i] { write(i); });
        connect(editor, &FieldEditor::takenBack, this, [this, i] { refreshField(i); });
    }
    // A large draft is checked on a worker: the answer to an edit then comes later.
    connect(document, &PolicyDocument::editRefused, this, [this](const Error& error) {
        if (m_lastWritten != nullptr) m_lastWritten->refuse(inWords(error));
        m_lastWritten = nullptr;
    });
    refresh();
}

void FieldForm::takeFocus() {
    if (!m_editors.empty()) m_editors.front()->takeFocus();
}

void FieldForm::refresh() {
    m_lastWritten = nullptr;
    for (std::size_t i = 0; i < m_fields.size(); ++i)
        if (!m_editors[i]->isRefused()) refreshField(i);
    showSubjectFindings();
}

void FieldForm::letGo() {
    for (FieldEditor* editor : m_editors) editor->disconnect(this);
}

void FieldForm::refreshField(std::size_t index) {
    const auto workspace = m_document->workspace();
    if (!workspace || !workspace->config.config) return;
    const BoundField& field = m_fields[index];
    FieldEditor& editor = *m_editors[index];
    if (!editor.display(field.read(*workspace->config.config)) && m_cannotShow.isEmpty()) {
        const config::Source source = config::sourceOf(*workspace->config.config, workspace->overrides, field.path);
        m_cannotShow = tr("%1 holds something that this form cannot show in full, such as a line break. Change it in %2, line %3.")
                           .arg(field.spec.name, configName(*workspace)).arg(source.position.line);
    }
    showOrigin(editor, field);
    showFindings(editor, field);
}

void FieldForm::showOrigin(FieldEditor& editor, const BoundField& field) {
    const auto workspace = m_document->workspace();
    config::Source source = config::sourceOf(*workspace->config.config, workspace->overrides, field.path, m_environment);
    config::Path from = field.path;
    for (const config::Path& other : field.alsoFrom) {
        if (source.origin != config::Origin::byDefault) break;
        source = config::sourceOf(*workspace->config.config, workspace->overrides, other, m_environment);
        from = other;
    }
    const QString place = tr("%1, line %2, column %3: %4").arg(configName(*workspace)).arg(source.position.line).arg(source.position.column).arg(format::text(config::dottedPath(from)));
    switch (source.origin) {
    case config::Origin::file: editor.setOrigin(tr("line %1").arg(source.position.line), place); return;
    case config::Origin::environment:
        editor.setOrigin(tr("environment"), source.position.line == 0 ? tr("From the variable %1").arg(format::text(source.variable))
                                                                      : tr("From the variable %1, in place of %2").arg(format::text(source.variable), place));
        return;
    case config::Origin::byDefault: break;
    }
    editor.setOrigin(tr("default"), tr("%1 does not say it").arg(configName(*workspace)));
}

void FieldForm::showFindings(FieldEditor& editor, const BoundField& field) {
    const auto workspace = m_document->workspace();
    const Finding* finding = worstAt(*workspace, config::dottedPath(field.path));
    for (const config::Path& other : field.alsoFrom)
        if (finding == nullptr) finding = worstAt(*workspace, config::dottedPath(other));
    if (finding == nullptr) editor.setRemark(Tone::idle, {});
    else editor.setRemark(toneOf(finding->severity), wordsOf(*finding));
}

void FieldForm::showSubjectFindings() {
    const auto workspace = m_document->workspace();
    if (!workspace) return;
    QStringList texts;
    for (const Findings* list : {&workspace->config.findings, &workspace->crossFindings})
        for (const Finding& finding : *list)
            if (finding.pointer == m_subject.path) texts << Theme::instance().glyph(toneOf(finding.severity)) + QLatin1Char(' ') + wordsOf(finding);
    m_top->setText(texts.join(QLatin1Char('\n')));
    m_top->setVisible(!texts.isEmpty());
}

void FieldForm::write(std::size_t index) {
    const BoundField& field = m_fields[index];
    FieldEditor& editor = *m_editors[index];
    const auto value = editor.value();
    if (!value) return editor.refuse(inWords(value.error()));
    const auto edit = [path = field.path, write = field.write, value = *value](std::string_view text) {
        if (write) return write(text, value);
        return value ? config::setValue(text, path, *value) : config::removeValue(text, path);
    };
    const auto* name = *value ? std::get_if<std::string>(&**value) : nullptr;
    if (field.isName && name != nullptr) Q_EMIT renaming(format::text(*name));
    m_lastWritten = &editor;
    // Forget the mark first: a value that is taken is shown by `changed`, which may end this form.
    const QPointer<FieldForm> alive(this);
    const bool wasRefused = editor.isRefused();
    if (wasRefused) editor.forget();
    const auto done = m_document->editConfig(tr("%1 of %2").arg(field.spec.name, m_subject.name), edit);
    if (!alive) return;
    if (done) return wasRefused ? refreshField(index) : void();
    m_lastWritten = nullptr;
    if (field.isName) Q_EMIT renaming({});
    editor.refuse(inWords(done.error()));
}

}  // namespace signalbox::ui
