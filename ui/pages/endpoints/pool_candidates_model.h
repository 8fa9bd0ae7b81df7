// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/pool_view.h"
#include "ui/models/row_model.h"

namespace signalbox::ui {

/// The endpoints of one pool as its router sees them now: price, time and share, or why not.
class PoolCandidatesModel final : public RowModel {
    Q_OBJECT
public:
    enum ColumnIndex { Endpoint, Cost, FirstToken, Share };
    explicit PoolCandidatesModel(QObject* parent = nullptr);
    void set(const dispatch::PoolView& pool);
    [[nodiscard]] const dispatch::PoolMemberView* at(int row) const;

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_members.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    std::vector<Column> m_columns;
    std::vector<dispatch::PoolMemberView> m_members;
    std::vector<int> m_percents;
    bool m_localFirst = false;
};

}  // namespace signalbox::ui
