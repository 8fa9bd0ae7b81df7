// SPDX-License-Identifier: MIT
#include "ui/widgets/cards/card_delegate.h"

#include "ui/theme/tone_glyph.h"

#include <QAbstractItemView>
#include <QPainter>

namespace signalbox::ui {

namespace {

constexpr int kPadX = 12, kPadY = 8, kLineGap = 3, kGlyph = 9, kGlyphGap = 6, kMaxTitleLines = 3, kMaxDetailLines = 2;

const CardModel& modelOf(const QModelIndex& index) { return *static_cast<const CardModel*>(index.model()); }

QFont titleFont() {
    QFont font = Theme::instance().font();
    font.setWeight(QFont::DemiBold);
    return font;
}

/// At most `lines` lines of `text`, the last one elided.
QStringList wrapped(const QString& text, const QFont& font, int width, int lines) {
    const QFontMetrics metrics(font);
    QStringList out;
    QString line;
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString longer = line.isEmpty() ? words.at(i) : line + QLatin1Char(' ') + words.at(i);
        if (line.isEmpty() || metrics.horizontalAdvance(longer) <= width) {
            line = longer;
            continue;
        }
        if (out.size() + 1 == lines) return out << metrics.elidedText(line + QLatin1Char(' ') + words.mid(i).join(QLatin1Char(' ')), Qt::ElideRight, width);
        out << metrics.elidedText(line, Qt::ElideRight, width);
        line = words.at(i);
    }
    if (!line.isEmpty()) out << metrics.elidedText(line, Qt::ElideRight, width);
    return out;
}

/// Walks down the card; with a painter it draws, without it only measures.
class Pen {
public:
    Pen(QPainter* painter, const QRect& room) : m_painter(painter), m_room(room), m_y(room.top()) {}

    void text(const QString& text, const QFont& font, const QColor& color, int indent = 0, Qt::TextElideMode mode = Qt::ElideRight) {
        const QFontMetrics metrics(font);
        const QRect line(m_room.left() + indent, m_y, m_room.width() - indent, metrics.height());
        if (m_painter != nullptr) {
            m_painter->setFont(font);
            m_painter->setPen(color);
            m_painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, mode, line.width()));
        }
        m_y += metrics.height() + kLineGap;
    }
    void toned(Tone tone, const QString& text, const QString& right, const QFont& font) {
        const Theme& theme = Theme::instance();
        const QFontMetrics metrics(font);
        QRect line(m_room.left(), m_y, m_room.width(), metrics.height());
        if (m_painter != nullptr) {
            const QColor color = theme.color(tone);
            paintToneGlyph(*m_painter, QRectF(line.left(), line.center().y() - kGlyph / 2.0 + 0.5, kGlyph, kGlyph), tone, color);
            m_painter->setFont(theme.numberFont());
            m_painter->setPen(theme.color(Surface::text));
            const int rightWidth = right.isEmpty() ? 0 : QFontMetrics(theme.numberFont()).horizontalAdvance(right) + 8;
            m_painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, right);
            line.adjust(kGlyph + kGlyphGap, 0, -rightWidth, 0);
            m_painter->setFont(font);
            m_painter->setPen(tone == Tone::idle ? theme.color(Surface::textMuted) : color);
            m_painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(text, Qt::ElideRight, line.width()));
        }
        m_y += metrics.height() + kLineGap;
    }
    [[nodiscard]] int y() const { return m_y; }
    [[nodiscard]] int width() const { return m_room.width(); }

private:
    QPainter* m_painter;
    QRect m_room;
    int m_y;
};

int layOut(QPainter* painter, const Card& card, const QRect& cell) {
    const Theme& theme = Theme::instance();
    Pen pen(painter, cell.adjusted(kPadX, kPadY, -kPadX, 0));
    const QFont strong = titleFont();
    const int indent = card.mark.isEmpty() ? 0 : QFontMetrics(strong).horizontalAdvance(QStringLiteral("00")) + 6;
    if (painter != nullptr && !card.mark.isEmpty()) {
        painter->setFont(theme.numberFont());
        painter->setPen(theme.color(Surface::textMuted));
        painter->drawText(QRect(cell.left() + kPadX, pen.y(), indent, QFontMetrics(strong).height()), Qt::AlignLeft | Qt::AlignVCenter, card.mark);
    }
    for (const QString& line : wrapped(card.title, strong, pen.width() - indent, kMaxTitleLines))
        pen.text(line, strong, theme.color(Surface::text), indent);
    if (!card.id.isEmpty()) pen.text(QStringLiteral("→ ") + card.id, theme.fixedFont(), theme.color(Surface::text), 0, Qt::ElideMiddle);
    if (card.tone) pen.toned(*card.tone, card.status, card.figure, theme.font());
    for (const QString& line : wrapped(card.detail, theme.smallFont(), pen.width(), kMaxDetailLines))
        pen.text(line, theme.smallFont(), theme.color(Surface::textMuted));
    if (card.remarkTone) pen.toned(*card.remarkTone, card.remark, {}, theme.smallFont());
    return pen.y() - cell.top() - kLineGap + kPadY;
}

}  // namespace

void CardDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::instance();
    const Card* card = modelOf(index).at(index.row());
    if (card == nullptr) return;
    painter->save();
    const bool lit = isLit(index.row());
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, theme.color(Surface::selection));
    else if (lit) painter->fillRect(option.rect, theme.color(Surface::accentSoft));
    else if (option.state & QStyle::State_MouseOver) painter->fillRect(option.rect, theme.color(Surface::hover));
    if (lit) painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), theme.color(Surface::accent));
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), theme.color(Surface::hairline));
    layOut(painter, *card, option.rect);
    if (option.state & QStyle::State_HasFocus) {
        painter->setPen(QPen(theme.color(Surface::accent), 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
}

QSize CardDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Card* card = modelOf(index).at(index.row());
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const int width = view != nullptr ? view->viewport()->width() : option.rect.width();
    return {width, card == nullptr ? 0 : layOut(nullptr, *card, QRect(0, 0, width, 0))};
}

}  // namespace signalbox::ui
