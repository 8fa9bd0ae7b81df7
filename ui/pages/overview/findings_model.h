// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"
#include "ui/models/row_model.h"

namespace signalbox::ui {

/// Findings and advisories about the open policy, as the overview lists them.
class FindingsModel final : public RowModel {
    Q_OBJECT
public:
    struct Entry {
        Finding finding;
        QString file;  ///< file name, for people
        bool advisory = false;
    };
    enum ColumnIndex { SeverityColumn, Message, Pointer, Place, Code };

    explicit FindingsModel(QObject* parent = nullptr);
    void set(std::vector<Entry> entries);
    [[nodiscard]] const Entry* at(int row) const;

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_entries.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    std::vector<Column> m_columns;
    std::vector<Entry> m_entries;
};

}  // namespace signalbox::ui
