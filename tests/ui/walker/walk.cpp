// SPDX-License-Identifier: MIT
#include "tests/ui/walker/walk.h"

#include "tests/ui/walker/pseudo_translator.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QScrollBar>
#include <QSet>
#include <QTest>

namespace signalbox::test {

static QString nameOf(const QWidget& widget) {
    QString path = QString::fromLatin1(widget.metaObject()->className());
    if (!widget.objectName().isEmpty()) path += QLatin1Char('#') + widget.objectName();
    if (!widget.accessibleName().isEmpty()) path += QStringLiteral(" \"%1\"").arg(widget.accessibleName());
    const QWidget* parent = widget.parentWidget();
    return parent == nullptr ? path : QString::fromLatin1(parent->metaObject()->className()) + QStringLiteral(" > ") + path;
}

QList<QWidget*> visibleWidgets(const QWidget& root) {
    QList<QWidget*> visible;
    for (auto* widget : root.findChildren<QWidget*>())
        if (widget->isVisible() && !widget->isWindow()) visible << widget;
    return visible;
}

// Parts that Qt makes for a view or a box speak through it.
static bool isInnerPart(const QWidget& widget) {
    return widget.objectName().startsWith(QLatin1String("qt_")) || qobject_cast<const QScrollBar*>(&widget) != nullptr ||
           qobject_cast<const QHeaderView*>(&widget) != nullptr ||
           (qobject_cast<const QLineEdit*>(&widget) != nullptr && qobject_cast<QComboBox*>(widget.parentWidget()) != nullptr);
}

static bool takesTab(const QWidget& widget) {
    return (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.isEnabled() && widget.focusProxy() == nullptr && !isInnerPart(widget);
}

QStringList withoutAccessibleName(const QWidget& root) {
    QStringList nameless;
    for (QWidget* widget : visibleWidgets(root)) {
        if (!takesTab(*widget)) continue;
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
        if (interface == nullptr || interface->text(QAccessible::Name).trimmed().isEmpty()) nameless << nameOf(*widget);
    }
    return nameless;
}

static const QButtonGroup* exclusiveGroup(const QWidget* widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    return button != nullptr && button->group() != nullptr && button->group()->exclusive() ? button->group() : nullptr;
}

QStringList notReachedByTab(const QWidget& root) {
    QSet<const QWidget*> reached;
    QSet<const QButtonGroup*> groups;
    for (QWidget* widget : visibleWidgets(root)) {
        if (!takesTab(*widget)) continue;
        widget->setFocus(Qt::TabFocusReason);
        if (widget->hasFocus()) break;
    }
    for (int presses = 0; presses < 400; ++presses) {
        const QWidget* focus = QApplication::focusWidget();
        if (focus == nullptr || reached.contains(focus)) break;
        reached << focus;
        if (const auto* group = exclusiveGroup(focus)) groups << group;
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QStringList missed;
    for (QWidget* widget : visibleWidgets(root)) {
        if (!takesTab(*widget) || reached.contains(widget)) continue;
        if (const auto* group = exclusiveGroup(widget); group != nullptr && groups.contains(group)) continue;
        missed << nameOf(*widget);
    }
    return missed;
}

static bool hasWords(const QString& text) {
    static const QRegularExpression words(QStringLiteral("\\p{L}{2,}"));
    return words.match(text).hasMatch();
}

static bool isData(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget())
        if (widget->property("data").toBool()) return true;
    return false;
}

static void judge(QStringList& plain, const QSet<QString>& names, const QWidget& widget, const QString& text, const char* what) {
    if (!names.contains(text) && hasWords(text) && !PseudoTranslator::isTranslated(text)) plain << QStringLiteral("%1 %2: \"%3\"").arg(nameOf(widget), QString::fromLatin1(what), text.left(80));
}

QStringList untranslated(const QWidget& root, const QSet<QString>& names) {
    QStringList plain;
    for (QWidget* widget : visibleWidgets(root)) {
        if (isInnerPart(*widget) || isData(widget)) continue;
        if (const auto* label = qobject_cast<const QLabel*>(widget)) judge(plain, names, *widget, label->text(), "text");
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) judge(plain, names, *widget, button->text(), "text");
        if (const auto* line = qobject_cast<const QLineEdit*>(widget)) judge(plain, names, *widget, line->placeholderText(), "placeholder");
        if (widget->isEnabled() && takesTab(*widget)) judge(plain, names, *widget, widget->accessibleName(), "accessible name");
        const auto* view = qobject_cast<const QAbstractItemView*>(widget);
        if (view == nullptr || view->model() == nullptr) continue;
        for (int column = 0; column < view->model()->columnCount(); ++column)
            judge(plain, names, *widget, view->model()->headerData(column, Qt::Horizontal).toString(), "header");
    }
    return plain;
}

// A table's corner that does nothing is nobody's to hit; until the first rows have come it has no height.
static bool isIdleCorner(const QWidget& widget) { return widget.inherits("QTableCornerButton") && !widget.isEnabled(); }

QStringList tooSmall(const QWidget& root) {
    QStringList small;
    for (QWidget* widget : visibleWidgets(root))
        if (qobject_cast<const QAbstractButton*>(widget) != nullptr && !isInnerPart(*widget) && !isIdleCorner(*widget) && (widget->width() < 20 || widget->height() < 20))
            small << QStringLiteral("%1 %2x%3").arg(nameOf(*widget)).arg(widget->width()).arg(widget->height());
    return small;
}

}  // namespace signalbox::test
