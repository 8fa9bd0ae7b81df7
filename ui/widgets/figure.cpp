// SPDX-License-Identifier: MIT
#include "ui/widgets/figure.h"

#include "ui/widgets/basics.h"
#include "ui/theme/format.h"

#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

Figure::Figure(const QString& name, QWidget* parent)
    : QWidget(parent), m_name(name), m_value(new QLabel(format::none())), m_context(makeMuted({})) {
    auto* title = makeMuted(name);
    title->setFont(Theme::instance().smallFont());
    QFont large = Theme::instance().numberFont();
    large.setPointSizeF(17);
    large.setWeight(QFont::Medium);
    m_value->setFont(large);
    m_value->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_context->setFont(Theme::instance().smallFont());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(title);
    layout->addWidget(m_value);
    layout->addWidget(m_context);
    layout->addStretch();
    describe();
    connect(&Theme::instance(), &Theme::changed, this, &Figure::describe);
}

void Figure::set(const QString& value, const QString& context, Tone tone) {
    m_value->setText(value);
    m_tone = tone;
    m_context->setText(tone == Tone::idle || context.isEmpty() ? context
                                                               : Theme::instance().glyph(tone) + QLatin1Char(' ') + context);
    describe();
}

QString Figure::value() const { return m_value->text(); }

void Figure::describe() {
    setAccessibleName(QStringLiteral("%1: %2").arg(m_name, m_value->text()));
    setAccessibleDescription(m_context->text());
    const QColor color = m_tone == Tone::idle ? Theme::instance().color(Surface::text) : Theme::instance().color(m_tone);
    m_value->setStyleSheet(QStringLiteral("color: %1;").arg(color.name()));
}

}  // namespace signalbox::ui
