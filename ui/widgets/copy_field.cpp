// SPDX-License-Identifier: MIT
#include "ui/widgets/copy_field.h"

#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QToolButton>

namespace signalbox::ui {

CopyField::CopyField(const QString& name, Kind kind, QWidget* parent)
    : QWidget(parent), m_name(name), m_kind(kind), m_revealed(kind == Kind::open), m_line(new QLineEdit) {
    m_line->setReadOnly(true);
    m_line->setFont(Theme::instance().fixedFont());
    m_line->setAccessibleName(name);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_line, 1);
    if (kind == Kind::secret) {
        m_reveal = makeIconButton(tr("Reveal %1").arg(name), QStringLiteral("eye"));
        connect(m_reveal, &QToolButton::clicked, this, [this] { setRevealed(!m_revealed); });
        layout->addWidget(m_reveal);
    }
    auto* copy = makeIconButton(tr("Copy %1").arg(name), QStringLiteral("copy"));
    connect(copy, &QToolButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_value);
        Q_EMIT copied();
    });
    layout->addWidget(copy);
    setFocusProxy(m_line);
}

void CopyField::setValue(const QString& value) {
    if (value == m_value) return;
    m_value = value;
    render();
}

void CopyField::setRevealed(bool revealed) {
    m_revealed = revealed;
    setThemedIcon(m_reveal, revealed ? QStringLiteral("eye-off") : QStringLiteral("eye"));
    const QString what = revealed ? tr("Hide %1").arg(m_name) : tr("Reveal %1").arg(m_name);
    m_reveal->setAccessibleName(what);
    m_reveal->setToolTip(plainTip(what));
    render();
}

void CopyField::render() {
    // A fixed number of dots: the length of a secret is nobody's business either.
    m_line->setText(m_revealed || m_value.isEmpty() ? m_value : QString(16, QChar(0x2022)));
    m_line->setCursorPosition(0);
}

void CopyField::hideEvent(QHideEvent* event) {
    if (m_kind == Kind::secret && m_revealed) setRevealed(false);
    QWidget::hideEvent(event);
}

}  // namespace signalbox::ui
