// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "ui/models/row_model.h"

#include <deque>
#include <memory>

namespace signalbox::ui {

/// Decisions as they happen, newest on top, bounded. A batch becomes one insertion at the top and one removal at the end.
class LiveDecisionsModel final : public RowModel {
    Q_OBJECT
public:
    using RecordPtr = std::shared_ptr<const evidence::DecisionRecord>;
    enum ColumnIndex { Time, Model, Preset, Coverage, OutcomeColumn, FirstToken, Tokens, Endpoint };

    explicit LiveDecisionsModel(std::size_t limit, QObject* parent = nullptr);

    /// `records` oldest first, as the bridge hands them out.
    void add(const std::vector<RecordPtr>& records);
    /// These instead of what stood there.
    void reset(const std::vector<RecordPtr>& records);
    [[nodiscard]] RecordPtr at(int row) const;

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_records.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    std::size_t m_limit;
    std::vector<Column> m_columns;
    std::deque<RecordPtr> m_records;  ///< newest first
};

}  // namespace signalbox::ui
