// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"
#include "router/table/coverage.h"
#include "router/table/when.h"

#include <QTableView>

#include <optional>

namespace signalbox::ui {

class CoverageDelegate;
class CoverageModel;

/// Where every kind of request of one family lands. Arrows move between cells, Enter goes deeper, and each cell says
/// its row, column, landing and hits to screen readers.
class CoverageMatrix : public QTableView {
    Q_OBJECT
public:
    explicit CoverageMatrix(QWidget* parent = nullptr);

    void setCoverage(table::FamilyCoverage coverage);
    void setHits(std::optional<evidence::CellHits> hits);
    [[nodiscard]] CoverageModel* cells() const { return m_model; }

    /// Lights a set of cells and lets the others step back; 0 ends it.
    void light(table::CellSet cells);
    [[nodiscard]] table::CellSet lit() const;
    void selectCell(const table::Cell& cell);
    [[nodiscard]] std::optional<table::Cell> currentCell() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The cell under the pointer or, without one, under the keyboard focus; nullopt when neither.
    void attended(std::optional<signalbox::table::Cell> cell);
    /// Chosen by click or arrows.
    void cellSelected(const signalbox::table::Cell& cell);
    /// Enter or double click.
    void cellOpened(const signalbox::table::Cell& cell);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;

private:
    void attendCurrent();

    CoverageModel* m_model;
    CoverageDelegate* m_delegate;
};

}  // namespace signalbox::ui
