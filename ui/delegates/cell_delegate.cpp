// SPDX-License-Identifier: MIT
#include "ui/delegates/cell_delegate.h"

#include "ui/models/roles.h"
#include "ui/theme/theme.h"
#include "ui/theme/tone_glyph.h"

#include <QAbstractItemView>
#include <QPainter>

#include <optional>

namespace signalbox::ui {

static constexpr int kPadding = 8, kMark = 9, kMarkGap = 6;

static CellKind kindOf(const QModelIndex& index) {
    const QVariant kind = index.data(CellKindRole);
    return kind.isValid() ? kind.value<CellKind>() : CellKind::text;
}

static QFont fontOf(CellKind kind, const Theme& theme) {
    switch (kind) {
    case CellKind::text:
    case CellKind::muted: return theme.font();
    case CellKind::number: return theme.numberFont();
    case CellKind::id: return theme.fixedFont();
    }
    return theme.font();
}

static std::optional<Tone> toneOf(const QModelIndex& index) {
    const QVariant tone = index.data(ToneRole);
    if (!tone.isValid()) return std::nullopt;
    return static_cast<Tone>(tone.toInt());
}

static void paintRow(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index, const Theme& theme) {
    const QRect& rect = option.rect;
    if (option.state.testFlag(QStyle::State_Selected)) painter.fillRect(rect, theme.color(Surface::selection));
    else if (option.state.testFlag(QStyle::State_MouseOver)) painter.fillRect(rect, theme.color(Surface::hover));
    painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color(Surface::hairline));
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    if (view != nullptr && view->hasFocus() && view->currentIndex().row() == index.row() &&
        view->currentIndex().parent() == index.parent()) {
        painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), theme.color(Surface::accent));
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.color(Surface::accent));
    }
}

static void paintShare(QPainter& painter, const QRect& rect, double share, const Theme& theme) {
    const int width = static_cast<int>(rect.width() * std::clamp(share, 0.0, 1.0));
    painter.fillRect(QRect(rect.left(), rect.bottom() - 3, width, 2), theme.color(Surface::accent));
}

// Paints what stands before the text and returns the room that is left for it.
static QRect paintMark(QPainter& painter, const QRect& room, const QModelIndex& index, const Theme& theme) {
    const QRectF box(room.left(), room.center().y() - kMark / 2.0 + 0.5, kMark, kMark);
    if (const auto tone = toneOf(index)) {
        paintToneGlyph(painter, box, *tone, theme.color(*tone));
        return room.adjusted(kMark + kMarkGap, 0, 0, 0);
    }
    if (const QVariant entity = index.data(SwatchRole); entity.isValid()) {
        painter.fillRect(box, theme.seriesColor(entity.toString()));
        return room.adjusted(kMark + kMarkGap, 0, 0, 0);
    }
    return room;
}

static QColor textColor(CellKind kind, const QModelIndex& index, const Theme& theme) {
    if (const auto tone = toneOf(index); tone && *tone != Tone::idle) return theme.color(*tone);
    return theme.color(kind == CellKind::muted ? Surface::textMuted : Surface::text);
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::instance();
    const CellKind kind = kindOf(index);
    painter->save();
    painter->setClipRect(option.rect);
    paintRow(*painter, option, index, theme);
    if (const QVariant share = index.data(ShareRole); share.isValid())
        paintShare(*painter, option.rect.adjusted(kPadding, 0, -kPadding, 0), share.toDouble(), theme);

    const QRect room = paintMark(*painter, option.rect.adjusted(kPadding, 0, -kPadding, 0), index, theme);
    const QFont font = fontOf(kind, theme);
    const QString text = index.data(Qt::DisplayRole).toString();
    const auto mode = kind == CellKind::id ? Qt::ElideMiddle : Qt::ElideRight;
    const QVariant alignment = index.data(Qt::TextAlignmentRole);
    painter->setFont(font);
    painter->setPen(textColor(kind, index, theme));
    painter->drawText(room, alignment.isValid() ? alignment.toInt() : static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                      QFontMetrics(font).elidedText(text, mode, room.width()));
    painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const QFontMetrics metrics(fontOf(kindOf(index), Theme::instance()));
    const bool marked = toneOf(index).has_value() || index.data(SwatchRole).isValid();
    return {metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString()) + 2 * kPadding + (marked ? kMark + kMarkGap : 0) + 2,
            std::max(metrics.height() + 10, 28)};
}

}  // namespace signalbox::ui
