// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/row_model.h"
#include "ui/pages/shadow/shadow_answer.h"

namespace signalbox::ui {

/// What each candidate was estimated to cost and take, beside what its real calls did.
class EstimatesModel final : public RowModel {
    Q_OBJECT
public:
    enum ColumnIndex { Endpoint, TriedFirst, Recommended, Cost, MeasuredCost, Latency, MeasuredLatency, Calls };
    explicit EstimatesModel(QObject* parent = nullptr);
    void set(std::vector<CandidateFacts> candidates);
    [[nodiscard]] const CandidateFacts& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    std::vector<Column> m_columns;
    std::vector<CandidateFacts> m_rows;
};

/// How each candidate's real calls ended, and how often it was cut for cooling.
class FailuresModel final : public RowModel {
    Q_OBJECT
public:
    enum ColumnIndex { Endpoint, Attempts, Served, Failed, RateLimited, Refused, Cancelled, CutForCooling };
    explicit FailuresModel(QObject* parent = nullptr);
    void set(std::vector<CandidateFacts> candidates);
    [[nodiscard]] const CandidateFacts& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    std::vector<Column> m_columns;
    std::vector<CandidateFacts> m_rows;
};

/// "0.000412": US dollars of one request with enough digits; "–" when there is none.
[[nodiscard]] QString dollars(std::optional<double> usd);

}  // namespace signalbox::ui
