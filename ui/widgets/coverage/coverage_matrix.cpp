// SPDX-License-Identifier: MIT
#include "ui/widgets/coverage/coverage_matrix.h"

#include "ui/theme/theme.h"
#include "ui/widgets/coverage/coverage_delegate.h"
#include "ui/widgets/coverage/coverage_header.h"
#include "ui/widgets/coverage/coverage_model.h"

#include <QKeyEvent>

namespace signalbox::ui {

static constexpr int kRowHeight = 66, kLeastRowHeight = 58, kLeastColumn = 60, kRowTitleWidth = 92;

CoverageMatrix::CoverageMatrix(QWidget* parent) : QTableView(parent), m_model(new CoverageModel(this)), m_delegate(new CoverageDelegate(this)) {
    setAccessibleName(tr("Coverage matrix"));
    setAccessibleDescription(tr("Rows are kinds of work, columns are output lengths with one request or with many at once."));
    setHorizontalHeader(new CoverageHeader(this));
    setModel(m_model);
    setItemDelegate(m_delegate);
    setMouseTracking(true);
    setShowGrid(false);
    setFrameShape(NoFrame);
    setEditTriggers(NoEditTriggers);
    setSelectionMode(SingleSelection);
    setTabKeyNavigation(false);  // Tab leaves the matrix; arrows move in it
    setCornerButtonEnabled(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    verticalHeader()->setMinimumSectionSize(kLeastRowHeight);
    verticalHeader()->setHighlightSections(false);
    verticalHeader()->setFixedWidth(kRowTitleWidth);
    verticalHeader()->setDefaultAlignment(Qt::Alignment(int(Qt::AlignLeft | Qt::AlignVCenter) | int(Qt::TextWordWrap)));
    verticalHeader()->setStyleSheet(QStringLiteral("QHeaderView::section { border: none; padding: 0 2px 0 4px; }"));
    verticalHeader()->setFont(Theme::instance().smallFont());
    connect(this, &QTableView::entered, this, [this](const QModelIndex& index) { Q_EMIT attended(CoverageModel::cellAt(index.row(), index.column())); });
    connect(this, &QTableView::viewportEntered, this, &CoverageMatrix::attendCurrent);
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) { Q_EMIT cellSelected(CoverageModel::cellAt(index.row(), index.column())); });
    connect(this, &QTableView::doubleClicked, this, [this](const QModelIndex& index) { Q_EMIT cellOpened(CoverageModel::cellAt(index.row(), index.column())); });
    connect(&Theme::instance(), &Theme::changed, this, [this] { viewport()->update(); });
}

void CoverageMatrix::setCoverage(table::FamilyCoverage coverage) {
    light(0);
    m_model->setCoverage(std::move(coverage));
}

void CoverageMatrix::setHits(std::optional<evidence::CellHits> hits) { m_model->setHits(std::move(hits)); }

void CoverageMatrix::light(table::CellSet cells) {
    m_delegate->setLit(cells);
    viewport()->update();
}

table::CellSet CoverageMatrix::lit() const { return m_delegate->lit(); }

void CoverageMatrix::selectCell(const table::Cell& cell) { setCurrentIndex(m_model->indexOf(cell)); }

std::optional<table::Cell> CoverageMatrix::currentCell() const {
    if (!currentIndex().isValid()) return std::nullopt;
    return CoverageModel::cellAt(currentIndex().row(), currentIndex().column());
}

QSize CoverageMatrix::sizeHint() const {
    return {720, CoverageModel::kRows * kRowHeight + horizontalHeader()->sizeHint().height()};
}

QSize CoverageMatrix::minimumSizeHint() const {
    return {CoverageModel::kColumns * kLeastColumn + kRowTitleWidth,
            CoverageModel::kRows * kLeastRowHeight + horizontalHeader()->sizeHint().height()};
}

void CoverageMatrix::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && currentCell()) Q_EMIT cellOpened(*currentCell());
    else QTableView::keyPressEvent(event);
}

void CoverageMatrix::attendCurrent() { Q_EMIT attended(hasFocus() ? currentCell() : std::nullopt); }

void CoverageMatrix::leaveEvent(QEvent* event) {
    QTableView::leaveEvent(event);
    attendCurrent();
}

void CoverageMatrix::focusInEvent(QFocusEvent* event) {
    QTableView::focusInEvent(event);
    // Arrow keys need a place to start from.
    if (!currentIndex().isValid() && m_model->rowCount() > 0)
        selectionModel()->setCurrentIndex(m_model->index(0, 0), QItemSelectionModel::NoUpdate);
    attendCurrent();
}

void CoverageMatrix::focusOutEvent(QFocusEvent* event) {
    QTableView::focusOutEvent(event);
    attendCurrent();
}

void CoverageMatrix::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    if (!current.isValid()) return;
    attendCurrent();
    if (selectionModel()->isSelected(current)) Q_EMIT cellSelected(CoverageModel::cellAt(current.row(), current.column()));
}

}  // namespace signalbox::ui
