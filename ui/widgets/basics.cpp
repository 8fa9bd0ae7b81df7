// SPDX-License-Identifier: MIT
#include "ui/widgets/basics.h"

#include "ui/theme/plain_tip.h"

#include <QAction>
#include <QFrame>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QToolButton>

namespace signalbox::ui {

static constexpr const char* kRole = "role";

QLabel* makeLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* makeMuted(const QString& text, QWidget* parent) {
    QLabel* label = makeLabel(text, parent);
    label->setProperty(kRole, QStringLiteral("muted"));
    return label;
}

QLabel* makeHeading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    QFont font = Theme::instance().font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    label->setTextFormat(Qt::PlainText);
    return label;
}

static QString roleName(ButtonRole role) {
    switch (role) {
    case ButtonRole::normal: return {};
    case ButtonRole::primary: return QStringLiteral("primary");
    case ButtonRole::quiet: return QStringLiteral("quiet");
    case ButtonRole::danger: return QStringLiteral("danger");
    }
    return {};
}

void setRole(QAbstractButton* button, ButtonRole role) { button->setProperty(kRole, roleName(role)); }

QPushButton* makeButton(const QString& text, const QString& icon, ButtonRole role, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setAccessibleName(text);
    setRole(button, role);
    if (!icon.isEmpty()) setThemedIcon(button, icon);
    return button;
}

QToolButton* makeIconButton(const QString& name, const QString& icon, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setAccessibleName(name);
    button->setToolTip(plainTip(name));
    button->setFocusPolicy(Qt::StrongFocus);
    button->setProperty(kRole, QStringLiteral("quiet"));
    setThemedIcon(button, icon);
    return button;
}

static QIcon iconFor(const QAbstractButton* button, const QString& icon) {
    if (icon.isEmpty()) return {};
    const Theme& theme = Theme::instance();
    const QString role = button->property(kRole).toString();
    if (role == QLatin1String("primary")) return theme.icon(icon, theme.color(Surface::textOnAccent));
    if (role == QLatin1String("danger")) return theme.icon(icon, theme.color(Tone::danger));
    return theme.icon(icon);
}

void setThemedIcon(QAbstractButton* button, const QString& icon) {
    button->setIcon(iconFor(button, icon));
    const bool followed = button->property("themedIcon").isValid();
    button->setProperty("themedIcon", icon);
    if (followed) return;
    QObject::connect(&Theme::instance(), &Theme::changed, button,
                     [button] { button->setIcon(iconFor(button, button->property("themedIcon").toString())); });
}

void setThemedIcon(QAction* action, const QString& icon) {
    const auto set = [action, icon] { action->setIcon(Theme::instance().icon(icon)); };
    set();
    QObject::connect(&Theme::instance(), &Theme::changed, action, set);
}

QFrame* makeHairline(LineDirection direction, QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setProperty(kRole, QStringLiteral("hairline"));
    if (direction == LineDirection::horizontal) line->setFixedHeight(1);
    else line->setFixedWidth(1);
    return line;
}

void clearLayout(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        if (item->layout() != nullptr) clearLayout(item->layout());
        delete item;
    }
}

}  // namespace signalbox::ui
