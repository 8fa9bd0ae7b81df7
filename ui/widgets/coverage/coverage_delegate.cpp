// SPDX-License-Identifier: MIT
#include "ui/widgets/coverage/coverage_delegate.h"

#include "ui/theme/tone_glyph.h"
#include "ui/widgets/coverage/coverage_model.h"
#include "ui/theme/format.h"

#include <QPainter>

namespace signalbox::ui {

static constexpr int kInset = 2, kPad = 7, kGlyph = 9, kBar = 3, kGapFold = 16, kNarrow = 84, kNarrowPad = 4, kThreeLinesPad = 3;
static constexpr double kDimmed = 0.35;

void paintHatching(QPainter& painter, const QRect& box, const QColor& color) {
    painter.save();
    painter.setClipRect(box);
    QColor line = color;
    line.setAlphaF(0.35F);
    painter.setPen(QPen(line, 1));
    painter.setRenderHint(QPainter::Antialiasing);
    for (int x = box.left() - box.height(); x < box.right(); x += 7) painter.drawLine(x, box.bottom() + 1, x + box.height(), box.top());
    painter.restore();
}

static void paintHits(QPainter& painter, const QRect& room, const QModelIndex& index) {
    const Theme& theme = Theme::instance();
    const QVariant hits = index.data(CoverageModel::HitsRole);
    if (!hits.isValid()) return;
    const QRect track(room.left(), room.bottom() - kBar + 1, room.width(), kBar);
    painter.fillRect(track, theme.color(Surface::hairline));
    const double share = index.data(ShareRole).toDouble();
    if (hits.toULongLong() > 0)
        painter.fillRect(QRect(track.left(), track.top(), std::max(2, qRound(share * track.width())), kBar), theme.color(Surface::accent));
    painter.setFont(theme.numberFont());
    painter.setPen(theme.color(hits.toULongLong() > 0 ? Surface::text : Surface::textMuted));
    painter.drawText(room.adjusted(0, 0, 0, -kBar - 2), Qt::AlignRight | Qt::AlignBottom, format::count(hits.toULongLong()));
}

static void paintGap(QPainter& painter, const QRect& box, const QModelIndex& index, Tone tone) {
    if (!index.data(CoverageModel::HatchedRole).toBool()) return;
    const QColor color = Theme::instance().color(Tone::gap);
    if (tone == Tone::gap) {
        paintHatching(painter, box, color);
        return;
    }
    // A gap beside a rule or a default: a hatched mark in the corner, where it does not hide what decides.
    paintToneGlyph(painter, QRectF(box.right() - kGapFold + 2, box.top() + 5, kGlyph, kGlyph), Tone::gap, color);
}

void CoverageDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::instance();
    const auto tone = static_cast<Tone>(index.data(ToneRole).toInt());
    const QColor color = theme.color(tone);
    const QRect box = option.rect.adjusted(kInset, kInset, -kInset, -kInset);
    const auto bit = table::CellSet{1} << CoverageModel::cellAt(index.row(), index.column()).index();
    const bool lit = (m_lit & bit) != 0;

    painter->save();
    if (m_lit != 0 && !lit) painter->setOpacity(kDimmed);
    painter->fillRect(box, tone == Tone::idle ? theme.color(Surface::window) : theme.softColor(tone));
    paintGap(*painter, box, index, tone);

    // Where the word would not fit beside its glyph it goes below, and the preset stands in the tip alone.
    const bool narrow = box.width() < kNarrow;
    const int pad = narrow ? kNarrowPad : kPad;
    const QRect room = narrow ? box.adjusted(pad, kThreeLinesPad, -pad, -kThreeLinesPad) : box.adjusted(pad, kPad - 1, -pad, -kPad);
    const QFont wordFont = theme.smallFont();
    const QFontMetrics metrics(wordFont);
    paintToneGlyph(*painter, QRectF(room.left(), room.top() + (metrics.height() - kGlyph) / 2.0, kGlyph, kGlyph), tone, color);
    painter->setFont(wordFont);
    painter->setPen(tone == Tone::idle ? theme.color(Surface::textMuted) : color);
    const bool corner = tone != Tone::gap && index.data(CoverageModel::HatchedRole).toBool();
    QRect word(room.left() + kGlyph + 5, room.top(), room.width() - kGlyph - 5 - (corner ? kGapFold - kPad : 0), metrics.height());
    if (narrow) word.setRect(room.left(), room.top() + metrics.height(), box.right() - room.left(), metrics.height());
    painter->drawText(word, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(index.data().toString(), Qt::ElideRight, word.width()));
    const QString preset = index.data(CoverageModel::PresetRole).toString();
    if (!preset.isEmpty() && !narrow) {
        painter->setPen(theme.color(Surface::textMuted));
        const QRect line(room.left(), word.bottom() + 2, room.width(), metrics.height());
        if (line.bottom() < room.bottom() - metrics.height() - kBar)
            painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(preset, Qt::ElideMiddle, line.width()));
    }
    paintHits(*painter, room, index);

    const bool focused = (option.state & QStyle::State_HasFocus) != 0;
    if (lit || focused) {
        painter->setOpacity(1);
        painter->setPen(QPen(theme.color(Surface::accent), focused ? 2 : 1.5));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(box.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

}  // namespace signalbox::ui
