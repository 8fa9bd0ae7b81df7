// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/row_model.h"
#include "ui/pages/presets/preset_rows.h"

#include <memory>

namespace signalbox::ui {

/// The presets of the open table, one row each.
class PresetsModel final : public RowModel {
    Q_OBJECT
public:
    enum ColumnIndex { Key, Family, K, MaxSeqs, Role, DefaultFlag, Endpoint, Rules, Share, Model };

    explicit PresetsModel(QObject* parent = nullptr);
    void set(std::shared_ptr<const table::RoutingTable> table, std::vector<PresetRow> rows);
    /// nullopt: history cannot tell.
    void setTraffic(const std::optional<evidence::PresetSeries>& series);
    [[nodiscard]] const PresetRow* at(int row) const;
    [[nodiscard]] const table::Preset& preset(int row) const;
    /// Of all requests in the range, presets or not; nullopt while unknown.
    [[nodiscard]] std::optional<std::uint64_t> total() const { return m_total; }
    [[nodiscard]] int rowOf(const QString& presetKey) const;

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    [[nodiscard]] QString endpointText(const PresetRow& row) const;
    [[nodiscard]] QString shareText(const PresetRow& row) const;

    std::vector<Column> m_columns;
    std::shared_ptr<const table::RoutingTable> m_table;
    std::vector<PresetRow> m_rows;
    std::optional<std::uint64_t> m_total;
};

}  // namespace signalbox::ui
