// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/running_request.h"
#include "ui/models/row_model.h"

#include <deque>
#include <memory>

namespace signalbox::ui {

/// Requests as they happen: those under way on top, then those that ended, each newest first, the latter bounded. A batch
/// becomes one insertion and one removal at the end; a request that ends moves, so that whoever has chosen it keeps it.
class LiveDecisionsModel final : public RowModel {
    Q_OBJECT
public:
    using RecordPtr = std::shared_ptr<const evidence::DecisionRecord>;
    enum ColumnIndex { Time, Model, Preset, Coverage, OutcomeColumn, FirstToken, Tokens, Endpoint };

    explicit LiveDecisionsModel(std::size_t limit, QObject* parent = nullptr);

    /// `records` oldest first, as the bridge hands them out.
    void add(const std::vector<RecordPtr>& records);
    /// What is under way at `now`, oldest first. What is no longer among them stays until the next call, for its record may
    /// be on its way.
    void setRunning(const std::vector<evidence::RunningRequest>& requests, Steady now);
    /// These instead of what stood there, with nothing under way.
    void reset(const std::vector<RecordPtr>& records);
    /// Null of a request under way.
    [[nodiscard]] RecordPtr at(int row) const;
    /// Null of one that ended.
    [[nodiscard]] const evidence::RunningRequest* runningAt(int row) const;
    /// -1: no such row.
    [[nodiscard]] int rowOf(const DecisionId& id) const;
    [[nodiscard]] int runningRows() const { return static_cast<int>(m_running.size()); }

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return runningRows() + static_cast<int>(m_records.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    struct Running {
        evidence::RunningRequest request;
        bool isMissing = false;  ///< from what was told last
    };
    [[nodiscard]] const evidence::DecisionRecord& recordAt(int row) const { return *m_records[static_cast<std::size_t>(row - runningRows())]; }
    [[nodiscard]] bool isFinished(const DecisionId& id) const;
    [[nodiscard]] int runningRowOf(const DecisionId& id) const;
    void finish(int runningRow, const RecordPtr& record);
    void dropMissing();
    void trim();
    [[nodiscard]] QString runningText(const evidence::RunningRequest& request, int column) const;
    [[nodiscard]] QVariant runningExtra(const evidence::RunningRequest& request, int column, int role) const;

    std::size_t m_limit;
    std::vector<Column> m_columns;
    std::vector<Running> m_running;   ///< newest first
    Steady m_now{};                   ///< when they were told
    std::deque<RecordPtr> m_records;  ///< newest first
};

}  // namespace signalbox::ui
