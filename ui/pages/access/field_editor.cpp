// SPDX-License-Identifier: MIT
#include "ui/pages/access/field_editor.h"

#include "ui/widgets/basics.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr const char* kInvalid = "invalid";

FieldEditor::FieldEditor(const FieldSpec& spec, QWidget* parent)
    : QWidget(parent), m_spec(spec), m_input(makeFieldInput(spec)), m_origin(makeMuted({})), m_remark(makeLabel({})) {
    setObjectName(QLatin1String(spec.key));
    auto* name = new QLabel(spec.name);
    name->setTextFormat(Qt::PlainText);
    name->setWordWrap(true);
    name->setBuddy(m_input->control());
    m_origin->setFont(Theme::instance().smallFont());
    m_origin->setWordWrap(false);
    m_remark->setVisible(false);
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
    connect(&Theme::instance(), &Theme::changed, this, &FieldEditor::colourRemark);
}

bool FieldEditor::display(const FieldValue& value) {
    mark(false);
    return m_input->display(value);
}

void FieldEditor::setOrigin(const QString& word, const QString& place) {
    m_origin->setText(word);
    m_origin->setToolTip(place);
    describe();
}

void FieldEditor::setRemark(Tone tone, const QString& text) {
    m_tone = tone;
    m_remark->setText(text.isEmpty() ? QString() : Theme::instance().glyph(tone) + QLatin1Char(' ') + text);
    m_remark->setVisible(!text.isEmpty());
    colourRemark();
    describe();
}

void FieldEditor::refuse(const QString& why) {
    mark(true);
    setRemark(Tone::danger, why);
    // The last field in view has its remark below the fold, where nobody would look for it.
    QTimer::singleShot(0, m_remark, [this] {
        for (QWidget* parent = parentWidget(); parent != nullptr; parent = parent->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(parent)) return area->ensureWidgetVisible(m_remark);
    });
}

void FieldEditor::mark(bool refused) {
    m_refused = refused;
    QWidget* control = m_input->control();
    control->setProperty(kInvalid, refused);
    control->style()->unpolish(control);
    control->style()->polish(control);
}

void FieldEditor::colourRemark() {
    const Theme& theme = Theme::instance();
    m_remark->setStyleSheet(QStringLiteral("color: %1;").arg((m_tone == Tone::idle ? theme.color(Surface::textMuted) : theme.color(m_tone)).name()));
}

void FieldEditor::describe() {
    QStringList parts;
    for (const QLabel* label : {m_remark, m_origin})
        if (!label->text().isEmpty()) parts << label->text();
    m_input->control()->setAccessibleDescription(parts.join(QStringLiteral(". ")));
}

void FieldEditor::takeFocus() { m_input->control()->setFocus(Qt::OtherFocusReason); }

void FieldEditor::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_refused) Q_EMIT takenBack();
    else QWidget::keyPressEvent(event);
}

}  // namespace signalbox::ui
