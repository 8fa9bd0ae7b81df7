// SPDX-License-Identifier: MIT
#include "ui/shell/navigation.h"

#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"
#include "ui/widgets/basics.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QFocusEvent>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace signalbox::ui {

static constexpr int kFoldedWidth = 60, kLeastWidth = 188, kMostWidth = 280;

namespace {

class NavigationButton : public QAbstractButton {
public:
    NavigationButton(const QString& name, const QString& icon) : m_icon(icon) {
        setText(name);
        setAccessibleName(name);
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
    }

    [[nodiscard]] bool wasReachedByKeyboard() const { return m_reachedByKeyboard; }
    [[nodiscard]] QSize sizeHint() const override { return {m_folded ? kFoldedWidth : fontMetrics().horizontalAdvance(text()) + 64, 30}; }
    void setFolded(bool folded) {
        m_folded = folded;
        updateGeometry();
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& theme = Theme::instance();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF plate = QRectF(rect()).adjusted(8, 1, -8, -1);
        if (isChecked() || underMouse()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.color(isChecked() ? Surface::accentSoft : Surface::hover));
            painter.drawRoundedRect(plate, 4, 4);
        }
        if (hasFocus() && m_reachedByKeyboard) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.color(Surface::accent), 2));
            painter.drawRoundedRect(plate.adjusted(1, 1, -1, -1), 4, 4);
        }
        const QColor color = theme.color(isChecked() ? Surface::accent : Surface::textMuted);
        theme.icon(m_icon, color).paint(&painter, QRect(m_folded ? (width() - 18) / 2 : 18, (height() - 18) / 2, 18, 18));
        if (m_folded) return;
        QFont font = theme.font();
        if (isChecked()) font.setWeight(QFont::Medium);
        painter.setFont(font);
        painter.setPen(theme.color(isChecked() ? Surface::accent : Surface::text));
        const QRect room = rect().adjusted(46, 0, -14, 0);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, QFontMetrics(font).elidedText(text(), Qt::ElideRight, room.width()));
    }

    // A window that opens, or a click, needs no frame to say where the keyboard is.
    void focusInEvent(QFocusEvent* event) override {
        m_reachedByKeyboard = event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::MouseFocusReason;
        QAbstractButton::focusInEvent(event);
    }

    bool event(QEvent* event) override {
        if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave) update();
        return QAbstractButton::event(event);
    }

private:
    QString m_icon;
    bool m_reachedByKeyboard = false;
    bool m_folded = false;
};

}  // namespace

Navigation::Navigation(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)), m_buttons(new QButtonGroup(this)) {
    setAccessibleName(tr("Pages"));
    setMinimumWidth(kLeastWidth);
    setMaximumWidth(kMostWidth);
    m_layout->setContentsMargins(0, Theme::kGap, 0, Theme::kGap);
    m_layout->setSpacing(0);
    m_layout->addStretch(1);
    m_buttons->setExclusive(true);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void Navigation::setTop(QWidget* top) {
    m_layout->insertWidget(0, top);
    m_layout->insertSpacing(1, Theme::kGap);
}

void Navigation::addGroup(const QString& title) {
    auto* label = makeMuted(title);
    label->setWordWrap(false);
    QFont font = Theme::instance().smallFont();
    font.setPointSizeF(7.75);
    font.setLetterSpacing(QFont::AbsoluteSpacing, 1.1);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setContentsMargins(20, Theme::kGapWide, 12, 4);
    m_groups.insert(label, title);
    m_layout->insertWidget(m_layout->count() - 1, label);
}

void Navigation::addPage(const QString& id, const QString& name, const QString& icon, const QString& toolTip) {
    auto* button = new NavigationButton(name, icon);
    button->setObjectName(QStringLiteral("navigation.") + id);
    button->setToolTip(plainTip(name + QLatin1Char('\n') + toolTip));
    m_buttons->addButton(button);
    m_byId.insert(id, button);
    m_layout->insertWidget(m_layout->count() - 1, button);
    connect(button, &QAbstractButton::clicked, this, [this, id] { Q_EMIT chosen(id); });
}

void Navigation::setCurrent(const QString& id) {
    auto* button = m_byId.value(id);
    if (button == nullptr) return;
    // Where the focus is in the navigation it goes along, and shows as plainly as it did before.
    const auto* before = static_cast<const NavigationButton*>(m_buttons->checkedButton());
    const bool focused = before != nullptr && before->hasFocus();
    button->setChecked(true);
    if (focused && !button->hasFocus())
        button->setFocus(before->wasReachedByKeyboard() ? Qt::ShortcutFocusReason : Qt::ActiveWindowFocusReason);
}

void Navigation::setFolded(bool folded) {
    if (folded == m_folded) return;
    m_folded = folded;
    for (auto group = m_groups.cbegin(); group != m_groups.cend(); ++group) group.key()->setText(folded ? QString() : group.value());
    for (QAbstractButton* button : std::as_const(m_byId)) static_cast<NavigationButton*>(button)->setFolded(folded);
    setMinimumWidth(folded ? kFoldedWidth : kLeastWidth);
    setMaximumWidth(folded ? kFoldedWidth : kMostWidth);
}

void Navigation::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Surface::window));
}

}  // namespace signalbox::ui
