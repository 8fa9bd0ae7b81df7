// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/row_model.h"
#include "ui/pages/groups/candidate_rows.h"

#include <functional>

namespace signalbox::ui {

/// The candidates of one group in configured order: prior beside measured. Rows can be dragged to another place; the
/// model only says so, for the order belongs to the policy.
class CandidatesModel final : public RowModel {
    Q_OBJECT
public:
    enum ColumnIndex { Place, Endpoint, Quality, Hint, Measured, Calls, Price, Reliability, ToolsValid, State };

    explicit CandidatesModel(QObject* parent = nullptr);
    /// `sourceOf` tells where the value of a candidate's key comes from (F83).
    using SourceOf = std::function<QString(std::size_t candidate, const std::string& key)>;
    /// Keeps selection and scroll place when the number of rows stays.
    void set(std::vector<CandidateRow> rows, SourceOf sourceOf, bool canEdit);
    [[nodiscard]] const CandidateRow* at(int row) const;
    [[nodiscard]] const std::vector<CandidateRow>& all() const { return m_rows; }

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column, const QModelIndex& parent) override;

Q_SIGNALS:
    /// `to` is the place that it is to have afterwards.
    void moveAsked(int from, int to);

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    [[nodiscard]] QString tip(const CandidateRow& row, int column) const;

    std::vector<Column> m_columns;
    std::vector<CandidateRow> m_rows;
    SourceOf m_sourceOf;
    bool m_canEdit = false;
};

}  // namespace signalbox::ui
