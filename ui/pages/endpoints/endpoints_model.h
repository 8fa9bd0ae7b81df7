// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/row_model.h"
#include "ui/pages/endpoints/endpoint_rows.h"

namespace signalbox::ui {

/// One endpoint a row: what the gateway measured of it, and what its engine says itself. The same as the topology, for
/// sorting and for screen readers.
class EndpointsModel final : public RowModel {
    Q_OBJECT
public:
    enum ColumnIndex {
        Endpoint, InFlight, Slots, QuotaLeft, State, FirstTokenP50, FirstTokenP95, Samples, Errors, Reliability,
        Running, Waiting, KvUse, Preemptions, PrefixHits, DraftAcceptance, Version, Reading
    };
    explicit EndpointsModel(QObject* parent = nullptr);
    /// Keeps selection and place while the endpoints stay the same.
    void set(std::vector<EndpointRow> rows);
    [[nodiscard]] const EndpointRow* at(int row) const;
    [[nodiscard]] const EndpointRow* find(const QString& endpointId) const;
    [[nodiscard]] int rowOf(const QString& endpointId) const;
    [[nodiscard]] const std::vector<EndpointRow>& all() const { return m_rows; }
    /// Of the engine's own numbers; the others are the gateway's.
    [[nodiscard]] static bool isEngineColumn(int column) { return column >= Running; }

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_rows.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    [[nodiscard]] QVariant tip(const EndpointRow& row, int column) const;
    [[nodiscard]] std::optional<Tone> tone(const EndpointRow& row, int column) const;

    std::vector<Column> m_columns;
    std::vector<EndpointRow> m_rows;
};

}  // namespace signalbox::ui
