// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/row_model.h"
#include "ui/pages/shadow/shadow_answer.h"

namespace signalbox::ui {

/// A table with one candidate a row; its endpoint stands in the first column, with its colour.
class CandidatesTable : public RowModel {
    Q_OBJECT
public:
    static constexpr int kEndpoint = 0;
    CandidatesTable(std::vector<Column> figures, QObject* parent);
    void set(std::vector<CandidateFacts> candidates);
    [[nodiscard]] const CandidateFacts& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    [[nodiscard]] const std::vector<Column>& columns() const final { return m_columns; }
    [[nodiscard]] int rows() const final { return static_cast<int>(m_rows.size()); }

protected:
    /// Raw value and text of a figure; an invalid value where there is none.
    [[nodiscard]] virtual QVariant figure(const CandidateFacts& facts, int column) const = 0;
    [[nodiscard]] virtual QString figureText(const CandidateFacts& facts, int column) const = 0;
    [[nodiscard]] virtual QVariant figureExtra(const CandidateFacts& facts, int column, int role) const = 0;

    [[nodiscard]] QString text(int row, int column) const final;
    [[nodiscard]] QVariant value(int row, int column) const final;
    [[nodiscard]] QVariant extra(int row, int column, int role) const final;

private:
    std::vector<Column> m_columns;
    std::vector<CandidateFacts> m_rows;
};

/// What each candidate was estimated to cost and take, beside what its real calls did.
class EstimatesModel final : public CandidatesTable {
    Q_OBJECT
public:
    enum ColumnIndex { Endpoint, TriedFirst, Recommended, Cost, MeasuredCost, Latency, MeasuredLatency, Calls };
    explicit EstimatesModel(QObject* parent = nullptr);

protected:
    [[nodiscard]] QVariant figure(const CandidateFacts& facts, int column) const override;
    [[nodiscard]] QString figureText(const CandidateFacts& facts, int column) const override;
    [[nodiscard]] QVariant figureExtra(const CandidateFacts& facts, int column, int role) const override;
};

/// How each candidate's real calls ended, and how often it was cut for cooling.
class FailuresModel final : public CandidatesTable {
    Q_OBJECT
public:
    enum ColumnIndex { Endpoint, Attempts, Served, Failed, RateLimited, Refused, Cancelled, CutForCooling };
    explicit FailuresModel(QObject* parent = nullptr);

protected:
    [[nodiscard]] QVariant figure(const CandidateFacts& facts, int column) const override;
    [[nodiscard]] QString figureText(const CandidateFacts& facts, int column) const override;
    [[nodiscard]] QVariant figureExtra(const CandidateFacts& facts, int column, int role) const override;
};

/// "0.000412": US dollars of one request with enough digits; "–" when there is none.
[[nodiscard]] QString dollars(std::optional<double> usd);

}  // namespace signalbox::ui
