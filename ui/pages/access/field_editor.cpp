// SPDX-License-Identifier: MIT
#include "ui/pages/access/field_editor.h"

#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/forms/field_message.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace signalbox::ui {

FieldEditor::FieldEditor(const FieldSpec& spec, QWidget* parent)
    : QWidget(parent), m_spec(spec), m_input(makeFieldInput(spec)), m_origin(makeMuted({})), m_remark(new FieldMessage(m_input->control())) {
    setObjectName(QLatin1String(spec.key));
    auto* name = new QLabel(spec.name);
    name->setTextFormat(Qt::PlainText);
    name->setWordWrap(true);
    name->setBuddy(m_input->control());
    m_origin->setFont(Theme::instance().smallFont());
    m_origin->setWordWrap(false);
    m_input->control()->setAccessibleName(spec.name);

    auto* top = new QHBoxLayout;
    top->setSpacing(Theme::kGap);
    top->addWidget(name, 1);
    top->addWidget(m_origin);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap / 2);
    layout->addLayout(top);
    layout->addWidget(m_input);
    if (!spec.help.isEmpty()) {
        QLabel* help = makeMuted(spec.help);
        help->setFont(Theme::instance().smallFont());
        layout->addWidget(help);
    }
    layout->addWidget(m_remark);
    connect(m_input, &FieldInput::edited, this, &FieldEditor::edited);
}

bool FieldEditor::display(const FieldValue& value) {
    forget();
    return m_input->display(value);
}

void FieldEditor::setOrigin(const QString& word, const QString& place) {
    m_origin->setText(word);
    m_origin->setToolTip(plainTip(place));
    describe();
}

void FieldEditor::setRemark(Tone tone, const QString& text) {
    m_tone = tone;
    m_said = text;
    if (m_refused) m_remark->refuse(text);
    else m_remark->say(tone, text);
    describe();
}

void FieldEditor::forget() {
    if (!m_refused) return;
    m_refused = false;
    setRemark(m_tone, m_said);
}

void FieldEditor::refuse(const QString& why) {
    m_refused = true;
    setRemark(Tone::danger, why);
    // The last field in view has its remark below the fold, where nobody would look for it.
    QTimer::singleShot(0, m_remark, [this] {
        for (QWidget* parent = parentWidget(); parent != nullptr; parent = parent->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(parent)) return area->ensureWidgetVisible(m_remark);
    });
}

void FieldEditor::describe() {
    QStringList parts{m_remark->text(), m_origin->text()};
    parts.removeAll(QString());
    m_input->control()->setAccessibleDescription(parts.join(QStringLiteral(". ")));
}

void FieldEditor::takeFocus() { m_input->control()->setFocus(Qt::OtherFocusReason); }

void FieldEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_refused) Q_EMIT takenBack();
    else QWidget::keyPressEvent(event);
}

}  // namespace signalbox::ui
