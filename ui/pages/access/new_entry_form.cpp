// SPDX-License-Identifier: MIT
#include "ui/pages/access/new_entry_form.h"

#include "ui/pages/access/field_form.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"

#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace signalbox::ui {

NewEntryForm::NewEntryForm(const QString& note, const std::vector<FieldSpec>& fields, const QString& buttonText, QWidget* parent)
    : QWidget(parent), m_problem(makeLabel({})) {
    setObjectName(QStringLiteral("newEntry"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(makeMuted(note));
    for (const FieldSpec& field : fields) {
        m_editors.push_back(new FieldEditor(field));
        static_cast<void>(m_editors.back()->display({}));
        layout->addWidget(m_editors.back());
    }
    m_problem->setVisible(false);
    layout->addWidget(m_problem);
    auto* button = makeButton(buttonText, QStringLiteral("plus"), ButtonRole::primary);
    layout->addWidget(button, 0, Qt::AlignLeft);
    connect(button, &QPushButton::clicked, this, &NewEntryForm::submit);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        auto* shortcut = new QShortcut(QKeySequence(key), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, &NewEntryForm::submit);
    }
}

void NewEntryForm::prefill(const std::string& key, const FieldValue& value) {
    for (FieldEditor* editor : m_editors)
        if (key == editor->spec().key) static_cast<void>(editor->display(value));
}

void NewEntryForm::refuse(const Error& error) {
    const std::string last = error.where.substr(error.where.rfind('.') + 1);
    for (FieldEditor* editor : m_editors)
        if (last == editor->spec().key) {
            editor->refuse(inWords(error));
            editor->takeFocus();
            return;
        }
    m_problem->setText(Theme::instance().glyph(Tone::danger) + QLatin1Char(' ') + inWords(error));
    m_problem->setVisible(true);
}

void NewEntryForm::takeFocus() {
    if (!m_editors.empty()) m_editors.front()->takeFocus();
}

void NewEntryForm::submit() {
    m_problem->setVisible(false);
    Values values;
    bool usable = true;
    for (FieldEditor* editor : m_editors) {
        editor->forget();
        editor->setRemark(Tone::idle, {});
        auto value = editor->value();
        if (!value) editor->refuse(inWords(value.error()));
        usable = usable && value.has_value();
        if (value) values[editor->spec().key] = std::move(*value);
    }
    if (usable) Q_EMIT submitted(values);
}

}  // namespace signalbox::ui
