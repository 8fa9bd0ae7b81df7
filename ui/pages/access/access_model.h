// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/row_model.h"
#include "ui/pages/access/access_rows.h"

namespace signalbox::ui {

/// One of the four lists as a table.
class AccessModel final : public RowModel {
    Q_OBJECT
public:
    explicit AccessModel(AccessList list, QObject* parent = nullptr);

    [[nodiscard]] AccessList list() const { return m_list; }
    /// Keeps the rows, and so selection and scroll place, when the same things stand there in the same order.
    void set(std::vector<AccessRow> rows);
    /// Null for no row.
    [[nodiscard]] const AccessKey* keyAt(int row) const;
    /// -1 when nothing has that key.
    [[nodiscard]] int rowOf(const AccessKey& key) const;

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override { return cell(row, column).text; }
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    [[nodiscard]] const AccessCell& cell(int row, int column) const;

    AccessList m_list;
    std::vector<Column> m_columns;
    std::vector<AccessRow> m_rows;
};

}  // namespace signalbox::ui
