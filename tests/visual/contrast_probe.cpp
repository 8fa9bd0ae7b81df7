// SPDX-License-Identifier: MIT
#include "tests/visual/contrast_probe.h"

#include "ui/theme/colors.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QHash>
#include <QImage>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace signalbox::test {

static QString nameOf(const QWidget& widget, const QString& text) {
    return QStringLiteral("%1 \"%2\"").arg(QString::fromLatin1(widget.metaObject()->className()), text.left(60));
}

static bool isLabelClipped(const QLabel& label) {
    if (label.text().isEmpty() || !label.pixmap(Qt::ReturnByValue).isNull()) return false;
    if (label.wordWrap()) return label.heightForWidth(label.width()) > label.height() + 1;
    return label.sizeHint().width() > label.width() + 1 || label.fontMetrics().height() > label.height() + 1;
}

static bool isButtonClipped(const QPushButton& button) {
    return !button.text().isEmpty() && button.minimumSizeHint().width() > button.width() + 1;
}

// Sideways out of what holds it, where nothing scrolls to it.
static bool isCutOff(const QWidget& widget, const QWidget& root) {
    QRect room = widget.rect();
    for (const QWidget* inner = &widget; inner != &root && inner->parentWidget() != nullptr; inner = inner->parentWidget()) {
        const QWidget* outer = inner->parentWidget();
        room.translate(inner->pos());
        const auto* area = qobject_cast<const QAbstractScrollArea*>(outer->parentWidget());
        if (area != nullptr && area->viewport() == outer && area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff) return false;
        if (room.right() > outer->width() || room.left() < 0) return true;
    }
    return false;
}

QStringList clippedTexts(const QWidget& root) {
    QStringList clipped;
    for (const auto* widget : root.findChildren<QWidget*>())
        if (widget->isVisible() && widget->layout() == nullptr && qobject_cast<const QLabel*>(widget) == nullptr && widget->sizePolicy().hasHeightForWidth() &&
            widget->heightForWidth(widget->width()) > widget->height() + 1)
            clipped << nameOf(*widget, QStringLiteral("squeezed: ") + widget->accessibleName());
    for (const auto* label : root.findChildren<QLabel*>())
        if (label->isVisible() && !label->text().isEmpty() && isCutOff(*label, root)) clipped << nameOf(*label, QStringLiteral("cut off: ") + label->text());
    for (const auto* button : root.findChildren<QAbstractButton*>())
        if (button->isVisible() && isCutOff(*button, root)) clipped << nameOf(*button, QStringLiteral("cut off: ") + button->text() + button->accessibleName());
    for (const auto* label : root.findChildren<QLabel*>())
        if (label->isVisible() && isLabelClipped(*label)) clipped << nameOf(*label, label->text());
    for (const auto* button : root.findChildren<QPushButton*>())
        if (button->isVisible() && isButtonClipped(*button)) clipped << nameOf(*button, button->text());
    return clipped;
}

// The background is the commonest colour of the area; the text the colour farthest from it.
static double contrastIn(const QImage& area) {
    QHash<QRgb, int> counts;
    for (int y = 0; y < area.height(); ++y)
        for (int x = 0; x < area.width(); ++x) ++counts[area.pixel(x, y)];
    QRgb background = 0;
    int most = 0;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        if (it.value() > most) {
            most = it.value();
            background = it.key();
        }
    double best = 1;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        best = std::max(best, ui::colors::contrast(QColor(background), QColor(it.key())));
    return best;
}

QStringList faintTexts(QWidget& root, const QImage& picture) {
    QStringList faint;
    const auto probe = [&](const QWidget& widget, const QString& text) {
        if (!widget.isVisible() || !widget.isEnabled() || text.trimmed().isEmpty()) return;
        // What has scrolled out of its view is not there, and of a line that is cut nobody can tell how faint it is.
        const QRect seen = widget.visibleRegion().boundingRect();
        const QRect area = QRect(widget.mapTo(&root, seen.topLeft()), seen.size()).intersected(picture.rect());
        if (area.width() < std::min(widget.width(), 24) || area.height() < std::min(widget.height(), widget.fontMetrics().height())) return;
        // Thin strokes of small text are blended with the background; 3:1 of the blend is 4.5:1 of the colour.
        if (area.width() < 8 || area.height() < 8) return;
        if (const double ratio = contrastIn(picture.copy(area)); ratio < 3.0)
            faint << nameOf(widget, text) + QStringLiteral(" %1:1").arg(ratio, 0, 'f', 2);
    };
    for (const auto* label : root.findChildren<QLabel*>()) probe(*label, label->text());
    for (const auto* button : root.findChildren<QAbstractButton*>()) probe(*button, button->text());
    return faint;
}

}  // namespace signalbox::test
