// SPDX-License-Identifier: MIT
#include "ui/widgets/coverage/coverage_header.h"

#include "ui/theme/theme.h"
#include "ui/widgets/coverage/coverage_model.h"
#include "ui/models/record_words.h"

#include <QPainter>

namespace signalbox::ui {

CoverageHeader::CoverageHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) {
    setSectionResizeMode(Stretch);
    setMinimumSectionSize(56);
    setHighlightSections(false);
}

QSize CoverageHeader::sizeHint() const { return {QHeaderView::sizeHint().width(), 2 * QFontMetrics(Theme::instance().smallFont()).height() + 14}; }

void CoverageHeader::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.color(Surface::panel));
    painter.setFont(theme.smallFont());
    const int half = height() / 2;
    for (std::size_t mode = 0; mode < table::kConcurrencyModes.size(); ++mode) {
        const int first = static_cast<int>(mode) * CoverageModel::kLengths, last = first + CoverageModel::kLengths - 1;
        const int left = sectionViewportPosition(first) + 2, right = sectionViewportPosition(last) + sectionSize(last) - 2;
        painter.setPen(theme.color(Surface::text));
        painter.drawText(QRect(left, 0, right - left, half), Qt::AlignCenter,
                         painter.fontMetrics().elidedText(words::concurrency(table::kConcurrencyModes[mode]), Qt::ElideRight, right - left));
        painter.fillRect(QRect(left, half, right - left, 1), theme.color(Surface::hairline));
    }
    painter.setPen(theme.color(Surface::textMuted));
    for (int section = 0; model() != nullptr && section < count(); ++section)
        painter.drawText(QRect(sectionViewportPosition(section), half, sectionSize(section), height() - half), Qt::AlignCenter,
                         model()->headerData(section, Qt::Horizontal).toString());
}

}  // namespace signalbox::ui
