// SPDX-License-Identifier: MIT
#include "ui/charts/heat_map/heat_map.h"

#include "ui/theme/colors.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>

namespace signalbox::ui {

static constexpr int kRowHeight = 44, kLeastColumn = 74, kRowTitle = 150;

void HeatModel::setGrid(HeatGrid grid) {
    beginResetModel();
    m_grid = std::move(grid);
    m_highestDifference = m_grid.highestDifference();
    m_total = m_grid.total();
    endResetModel();
}

QVariant HeatModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    switch (role) {
    case Qt::DisplayRole: return format::count(m_grid.at(index.row(), index.column()));
    case Qt::ToolTipRole: return plainTip(m_grid.sentence(index.row(), index.column()));
    case Qt::AccessibleTextRole: return m_grid.sentence(index.row(), index.column());
    default: return {};
    }
}

QVariant HeatModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const QStringList& names = orientation == Qt::Horizontal ? m_grid.columns : m_grid.rows;
    if (section < 0 || section >= names.size()) return {};
    const QString whole = names[section] + QLatin1Char(' ') + (orientation == Qt::Horizontal ? m_grid.columnWord : m_grid.rowWord);
    switch (role) {
    case Qt::DisplayRole: {
        // Provider above model: so a column may be narrow.
        QString name = names[section];
        const qsizetype colon = name.indexOf(QLatin1Char(':'));
        return colon > 0 ? name.insert(colon + 1, QLatin1Char('\n')) : name;
    }
    case Qt::ToolTipRole: return plainTip(whole);
    case Qt::AccessibleTextRole: return whole;
    default: return {};
    }
}

namespace {

class HeatDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto* model = static_cast<const HeatModel*>(index.model());
        const Theme& theme = Theme::instance();
        const HeatGrid& grid = model->grid();
        const std::uint64_t count = grid.at(index.row(), index.column());
        const bool same = grid.isSame(index.row(), index.column());
        const QRectF box = QRectF(option.rect).adjusted(1, 1, -1, -1);
        const QColor fill = fillOf(*model, count, same);
        painter->save();
        painter->fillRect(box, fill);
        if (same) {
            painter->setPen(QPen(theme.color(Surface::textMuted), 1, Qt::DotLine));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        paintNumbers(*painter, box, fill, count, model->total());
        if ((option.state & QStyle::State_HasFocus) != 0) {
            painter->setPen(QPen(theme.color(Surface::text), 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(box.adjusted(1, 1, -1, -1));
        }
        painter->restore();
    }

private:
    static QColor fillOf(const HeatModel& model, std::uint64_t count, bool same) {
        const Theme& theme = Theme::instance();
        if (count == 0 || same) return theme.color(Surface::window);
        const double share = static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, model.highestDifference()));
        // The root lets the rarer pairs be told from none at all.
        return colors::mix(theme.color(Surface::panel), theme.color(Surface::accent), 0.10 + 0.75 * std::sqrt(share));
    }
    static QColor inkOn(const QColor& fill, bool muted) {
        const Theme& theme = Theme::instance();
        const QColor text = theme.color(muted ? Surface::textMuted : Surface::text);
        if (colors::contrast(fill, text) >= 4.5) return text;
        const QColor other = theme.color(Surface::textOnAccent);
        return colors::contrast(fill, other) > colors::contrast(fill, text) ? other : text;
    }
    static void paintNumbers(QPainter& painter, const QRectF& box, const QColor& fill, std::uint64_t count, std::uint64_t total) {
        const Theme& theme = Theme::instance();
        if (count == 0) {
            painter.setPen(theme.color(Surface::textMuted));
            painter.drawText(box, Qt::AlignCenter, format::none());
            return;
        }
        const double share = 100.0 * static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, total));
        QFont strong = theme.numberFont();
        strong.setWeight(QFont::DemiBold);
        painter.setFont(strong);
        painter.setPen(inkOn(fill, false));
        const QString text = share < 0.1 ? QStringLiteral("<0.1 %") : QLocale().toString(share, 'f', 1) + QStringLiteral(" %");
        painter.drawText(box.adjusted(0, 0, 0, -box.height() / 2 + 4), Qt::AlignHCenter | Qt::AlignBottom, text);
        painter.setFont(theme.smallFont());
        painter.setPen(inkOn(fill, true));
        painter.drawText(box.adjusted(0, box.height() / 2 + 3, 0, 0), Qt::AlignHCenter | Qt::AlignTop, format::count(count));
    }
};

}  // namespace

HeatMap::HeatMap(const QString& name, QWidget* parent) : QTableView(parent), m_model(new HeatModel(this)) {
    setAccessibleName(name);
    setModel(m_model);
    setItemDelegate(new HeatDelegate(this));
    setShowGrid(false);
    setFrameShape(NoFrame);
    setEditTriggers(NoEditTriggers);
    setSelectionMode(NoSelection);
    setTabKeyNavigation(false);  // Tab leaves the map; arrows move in it
    setCornerButtonEnabled(false);
    setProperty("data", true);  // its headers are names of routes, not words of ours: nothing to translate
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setMinimumSectionSize(kLeastColumn);
    horizontalHeader()->setTextElideMode(Qt::ElideMiddle);
    horizontalHeader()->setDefaultAlignment(Qt::AlignCenter);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(kRowHeight);
    verticalHeader()->setTextElideMode(Qt::ElideMiddle);
    verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (QHeaderView* header : {horizontalHeader(), verticalHeader()}) {
        header->setHighlightSections(false);
        header->setSectionsClickable(false);
        header->setFont(Theme::instance().smallFont());
        header->setStyleSheet(QStringLiteral("QHeaderView::section { border: none; padding: 2px 4px; }"));
    }
    verticalHeader()->setFixedWidth(kRowTitle);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) { Q_EMIT cellChosen(index.row(), index.column()); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
}

void HeatMap::setGrid(HeatGrid grid) {
    m_model->setGrid(std::move(grid));
    updateGeometry();
}

QSize HeatMap::sizeHint() const {
    return {kRowTitle + static_cast<int>(m_model->grid().columns.size()) * 96, horizontalHeader()->sizeHint().height() + static_cast<int>(m_model->grid().rows.size()) * kRowHeight + 2};
}
QSize HeatMap::minimumSizeHint() const { return {kRowTitle + 2 * kLeastColumn, horizontalHeader()->sizeHint().height() + 2 * kRowHeight}; }

void HeatMap::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && currentIndex().isValid()) Q_EMIT cellChosen(currentIndex().row(), currentIndex().column());
    else if (event->key() == Qt::Key_T) event->ignore();  // the frame shows the table
    else QTableView::keyPressEvent(event);
}

void HeatMap::focusInEvent(QFocusEvent* event) {
    QTableView::focusInEvent(event);
    // Arrow keys need a place to start from.
    if (!currentIndex().isValid() && m_model->rowCount() > 0) selectionModel()->setCurrentIndex(m_model->index(0, 0), QItemSelectionModel::NoUpdate);
}

}  // namespace signalbox::ui
