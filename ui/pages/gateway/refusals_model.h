// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/models/row_model.h"

namespace signalbox::ui {

/// Refused requests by reason, most frequent first, each with the header or field that would fix it.
class RefusalsModel final : public RowModel {
    Q_OBJECT
public:
    enum ColumnIndex { Reason, Count, Newest, Fix };
    explicit RefusalsModel(QObject* parent = nullptr);

    /// Does nothing when nothing changed.
    void set(std::vector<engine::RefusalCount> refusals);
    [[nodiscard]] const engine::RefusalCount* at(int row) const;

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_refusals.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    std::vector<Column> m_columns;
    std::vector<engine::RefusalCount> m_refusals;
};

}  // namespace signalbox::ui
