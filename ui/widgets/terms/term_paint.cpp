// SPDX-License-Identifier: MIT
#include "ui/widgets/terms/term_paint.h"

#include "ui/theme/colors.h"
#include "ui/theme/theme.h"

#include <QCoreApplication>
#include <QPainter>

namespace signalbox::ui {

namespace {
struct TermPaintWords {
    Q_DECLARE_TR_FUNCTIONS(TermPaint)
};
using policy::smart::Term;

// Fixed, apart from the series colours: a term has the same look beside whatever endpoints. After Okabe and Ito.
colors::Pair pairOf(Term term) {
    switch (term) {
    case Term::quality: return {0xff2f7fc1, 0xff5fa8e0};
    case Term::cost: return {0xffe08a1e, 0xfff0a64a};
    case Term::latency: return {0xff1a9e78, 0xff3cc49c};
    case Term::reliability: return {0xffc9b400, 0xffe8d950};
    case Term::affinity: return {0xffb0568f, 0xffde8fc0};
    }
    return {};
}

Qt::BrushStyle patternOf(Term term) {
    switch (term) {
    case Term::quality: return Qt::NoBrush;
    case Term::cost: return Qt::BDiagPattern;
    case Term::latency: return Qt::Dense7Pattern;
    case Term::reliability: return Qt::HorPattern;
    case Term::affinity: return Qt::DiagCrossPattern;
    }
    return Qt::NoBrush;
}

QColor inkOn(const QColor& fill) {
    const QColor dark(0x10, 0x14, 0x18);
    return colors::contrast(fill, dark) >= colors::contrast(fill, Qt::white) ? dark : QColor(Qt::white);
}
}  // namespace

QColor termColor(Term term) { return pairOf(term).of(Theme::instance().scheme()); }

QString termLetter(Term term) {
    switch (term) {
    case Term::quality: return TermPaintWords::tr("Q", "quality");
    case Term::cost: return TermPaintWords::tr("C", "cost");
    case Term::latency: return TermPaintWords::tr("L", "latency");
    case Term::reliability: return TermPaintWords::tr("R", "reliability");
    case Term::affinity: return TermPaintWords::tr("A", "affinity");
    }
    return {};
}

void paintTermFill(QPainter& painter, const QRectF& box, Term term) {
    const QColor fill = termColor(term);
    painter.fillRect(box, fill);
    QColor lines = inkOn(fill);
    lines.setAlphaF(0.28F);
    if (patternOf(term) != Qt::NoBrush) painter.fillRect(box, QBrush(lines, patternOf(term)));
}

void paintTerm(QPainter& painter, const QRectF& box, Term term) {
    paintTermFill(painter, box, term);
    QFont font = Theme::instance().smallFont();
    font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    const QString letter = termLetter(term);
    const double width = metrics.horizontalAdvance(letter) + 4;
    if (box.width() < width || box.height() < metrics.capHeight() + 3) return;
    const QRectF plate(box.center().x() - width / 2, box.top(), width, box.height());
    painter.fillRect(plate, termColor(term));  // the pattern would run through the letter
    painter.setFont(font);
    painter.setPen(inkOn(termColor(term)));
    painter.drawText(plate, Qt::AlignCenter, letter);
}

}  // namespace signalbox::ui
