// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"
#include "router/table/coverage.h"
#include "ui/models/roles.h"

#include <QAbstractTableModel>
#include <QString>

#include <optional>

namespace signalbox::ui {

/// The 30 cells of one family: rows are the workload classes, columns short, medium and long output under single
/// stream and then under many at once.
class CoverageModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        HitsRole = FirstOwnRole,  ///< quint64; invalid while hits are unknown
        PresetRole,               ///< QString key of the preset the cell lands on; may be empty
        HatchedRole,              ///< a declared gap names this cell
    };
    static constexpr int kRows = 5, kColumns = 6, kLengths = 3;

    using QAbstractTableModel::QAbstractTableModel;

    void setCoverage(table::FamilyCoverage coverage);
    /// nullopt: history cannot tell.
    void setHits(std::optional<evidence::CellHits> hits);
    [[nodiscard]] const std::optional<evidence::CellHits>& hits() const { return m_hits; }
    [[nodiscard]] const std::optional<table::FamilyCoverage>& coverage() const { return m_coverage; }

    [[nodiscard]] static table::Cell cellAt(int row, int column);
    [[nodiscard]] QModelIndex indexOf(const table::Cell& cell) const;
    [[nodiscard]] const table::CellCoverage* coverageAt(const QModelIndex& index) const;
    /// "structured answer, short output, many at once: rule, measured, preset x; 412 requests"
    [[nodiscard]] QString sentence(const QModelIndex& index) const;
    /// The whole matrix as text, one line a cell.
    [[nodiscard]] QString toText() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::optional<table::FamilyCoverage> m_coverage;
    std::optional<evidence::CellHits> m_hits;
    quint64 m_most = 0;  ///< hits of the busiest cell
};

}  // namespace signalbox::ui
