// SPDX-License-Identifier: MIT
#include "ui/widgets/coverage/family_strip.h"

#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/coverage/coverage_model.h"
#include "ui/widgets/coverage/table_words.h"
#include "ui/theme/format.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>

namespace signalbox::ui {

static constexpr int kWidth = 236, kHeight = 56, kStripPad = 8, kDot = 6, kDotGap = 2;

static QString summaryOf(const table::FamilyCoverage& family) {
    const auto count = [&family](auto... landings) {
        return std::count_if(family.cells.begin(), family.cells.end(), [&](const auto& cell) { return ((cell.landing == landings) || ...); });
    };
    const auto rules = count(table::Landing::ruleMeasured, table::Landing::ruleInferred, table::Landing::ruleUntagged);
    const auto gaps = count(table::Landing::declaredGap);
    if (rules == 0 && family.singlePresetByDesign) return FamilyButton::tr("single preset by design");
    if (rules > 0) return FamilyButton::tr("rules decide %1 of %2 cells").arg(rules).arg(table::kCellCount);
    if (gaps > 0) return FamilyButton::tr("%1 of %2 cells are gaps").arg(gaps).arg(table::kCellCount);
    return family.defaultPresetKey ? FamilyButton::tr("the default decides all") : FamilyButton::tr("neither rule nor default");
}

FamilyButton::FamilyButton(const table::FamilyCoverage& coverage, QWidget* parent) : QAbstractButton(parent), m_summary(summaryOf(coverage)) {
    for (std::size_t i = 0; i < table::kCellCount; ++i) m_tones[i] = words::landingTone(coverage.cells[i].landing);
    setText(format::text(coverage.family));
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(text());
    setAccessibleDescription(m_summary);
    setToolTip(plainTip(text() + QLatin1Char('\n') + m_summary));
}

QSize FamilyButton::sizeHint() const { return {kWidth, kHeight}; }

bool FamilyButton::event(QEvent* event) {
    if (event->type() == QEvent::HoverEnter || event->type() == QEvent::HoverLeave || event->type() == QEvent::Enter || event->type() == QEvent::Leave) update();
    return QAbstractButton::event(event);
}

void FamilyButton::paintThumbnail(QPainter& painter, const QRect& box) const {
    const Theme& theme = Theme::instance();
    for (int row = 0; row < CoverageModel::kRows; ++row) {
        for (int column = 0; column < CoverageModel::kColumns; ++column) {
            const Tone tone = m_tones[CoverageModel::cellAt(row, column).index()];
            const QRect dot(box.left() + column * (kDot + kDotGap) + (column >= CoverageModel::kLengths ? 3 : 0), box.top() + row * (kDot + kDotGap), kDot, kDot);
            if (tone == Tone::idle) {
                painter.setPen(theme.color(Surface::textMuted));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(dot.adjusted(0, 0, -1, -1));
            } else if (tone == Tone::gap) {
                painter.setPen(theme.color(tone));
                painter.drawRect(dot.adjusted(0, 0, -1, -1));
                painter.drawLine(dot.bottomLeft(), dot.topRight());
            } else {
                painter.fillRect(dot, theme.color(tone));
            }
        }
    }
}

void FamilyButton::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const QRect box = rect().adjusted(0, 0, -1, -1);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.color(hasFocus() || isChecked() ? Surface::accent : Surface::hairline), hasFocus() ? 2 : 1));
    painter.setBrush(theme.color(isChecked() ? Surface::accentSoft : underMouse() ? Surface::hover : Surface::panel));
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);

    constexpr int kThumbWidth = CoverageModel::kColumns * (kDot + kDotGap) + 3, kThumbHeight = CoverageModel::kRows * (kDot + kDotGap) - kDotGap;
    paintThumbnail(painter, QRect(box.left() + kStripPad, box.center().y() - kThumbHeight / 2, kThumbWidth, kThumbHeight));
    const QRect texts = box.adjusted(kStripPad + kThumbWidth + kStripPad, kStripPad, -kStripPad, -kStripPad);
    painter.setFont(theme.font());
    painter.setPen(theme.color(Surface::text));
    painter.drawText(texts, Qt::AlignLeft | Qt::AlignTop, painter.fontMetrics().elidedText(text(), Qt::ElideMiddle, texts.width()));
    painter.setFont(theme.smallFont());
    painter.setPen(theme.color(Surface::textMuted));
    painter.drawText(texts, Qt::AlignLeft | Qt::AlignBottom, painter.fontMetrics().elidedText(m_summary, Qt::ElideRight, texts.width()));
}

FamilyStrip::FamilyStrip(QWidget* parent) : QScrollArea(parent), m_group(new QButtonGroup(this)), m_row(new QHBoxLayout) {
    auto* content = new QWidget;
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(Theme::kGap);
    content->setLayout(m_row);
    setWidget(content);
    setWidgetResizable(true);
    content->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Families"));
    connect(m_group, &QButtonGroup::idClicked, this, &FamilyStrip::chosen);
}

void FamilyStrip::setFamilies(const std::vector<table::FamilyCoverage>& families) {
    for (QAbstractButton* button : m_group->buttons()) m_group->removeButton(button);
    clearLayout(m_row);
    int id = 0;
    for (const table::FamilyCoverage& family : families) {
        auto* button = new FamilyButton(family);
        m_group->addButton(button, id++);
        m_row->addWidget(button);
    }
    m_row->addStretch();
    updateGeometry();
}

void FamilyStrip::choose(int index) {
    QAbstractButton* button = m_group->button(index);
    if (button == nullptr) return;
    button->setChecked(true);
    ensureWidgetVisible(button);
}

QSize FamilyStrip::sizeHint() const { return {2 * kWidth, kHeight + horizontalScrollBar()->sizeHint().height()}; }

}  // namespace signalbox::ui
