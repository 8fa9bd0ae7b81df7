// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"
#include "ui/models/row_model.h"

#include <deque>
#include <memory>

namespace signalbox::ui {

/// Decisions from new to old: pages from history at the end, what just happened at the top. A view that reaches the end
/// asks for more through Qt's own canFetchMore and fetchMore.
class HistoryModel final : public RowModel {
    Q_OBJECT
public:
    using RecordPtr = std::shared_ptr<const evidence::DecisionRecord>;
    enum ColumnIndex { Time, Model, Preset, Coverage, Rule, OutcomeColumn, Status, FirstContent, Total, Tokens, Cost, Endpoint, Team };
    /// Live rows push the oldest out beyond this; scrolling down reads those again.
    static constexpr std::size_t kMostRows = 20'000;

    explicit HistoryModel(QObject* parent = nullptr);

    void clear();
    /// Replaces everything.
    void setFirst(evidence::HistoryPage page);
    void append(evidence::HistoryPage page);
    /// The page that was asked for did not come; `fetchMore` may ask again.
    void appendFailed() { m_asked = m_cutMeanwhile = false; }
    /// Each record at its place in time; known ones are left out. In any order.
    void addLive(std::vector<RecordPtr> records);

    [[nodiscard]] RecordPtr at(int row) const;
    [[nodiscard]] int rowOf(const DecisionId& id) const;  ///< -1 when it is not here
    [[nodiscard]] const std::optional<evidence::PageKey>& next() const { return m_next; }

    [[nodiscard]] bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

Q_SIGNALS:
    void moreWanted(const signalbox::evidence::PageKey& after);

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    void insertRun(std::size_t at, std::vector<RecordPtr>::const_iterator first, std::vector<RecordPtr>::const_iterator last);
    void dropOldest();

    std::vector<Column> m_columns;
    std::deque<RecordPtr> m_rows;  ///< newest first
    std::optional<evidence::PageKey> m_next;
    bool m_asked = false;
    bool m_cutMeanwhile = false;  ///< since then: the page that was asked for does not begin where the rows end
};

}  // namespace signalbox::ui
