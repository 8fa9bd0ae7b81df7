// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/models/row_model.h"

namespace signalbox::ui {

/// Refused requests by reason and client, most frequent first, each with the header or field that would fix it.
class RefusalsModel final : public RowModel {
    Q_OBJECT
public:
    enum ColumnIndex { Reason, Client, Count, Newest, Fix };
    explicit RefusalsModel(QObject* parent = nullptr);

    /// Does nothing when nothing changed. Who is selected stays so, wherever the row goes.
    void set(std::vector<engine::RefusalCount> refusals);
    [[nodiscard]] const engine::RefusalCount* at(int row) const;
    [[nodiscard]] const std::vector<engine::RefusalCount>& all() const { return m_refusals; }

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_refusals.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    void removeMissing(const std::vector<engine::RefusalCount>& now);
    void appendNew(const std::vector<engine::RefusalCount>& now);
    void arrange(std::vector<engine::RefusalCount> now);

    std::vector<Column> m_columns;
    std::vector<engine::RefusalCount> m_refusals;
};

}  // namespace signalbox::ui
