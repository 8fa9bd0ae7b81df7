// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/history.h"
#include "ui/models/row_model.h"

namespace signalbox::ui {

/// What happened to gateways, newest first.
class EventsModel final : public RowModel {
    Q_OBJECT
public:
    enum ColumnIndex { Time, What, Subject, Who, Words, Gateway };

    explicit EventsModel(QObject* parent = nullptr);

    /// Replaces everything; false where nothing differs.
    bool set(std::vector<evidence::Event> events);
    void append(std::vector<evidence::Event> events);
    [[nodiscard]] const evidence::Event* at(int row) const;
    [[nodiscard]] int rowOf(const evidence::EventId& id) const;  ///< -1 when it is not here
    [[nodiscard]] const std::vector<evidence::Event>& all() const { return m_events; }

    [[nodiscard]] const std::vector<Column>& columns() const override { return m_columns; }
    [[nodiscard]] int rows() const override { return static_cast<int>(m_events.size()); }

protected:
    [[nodiscard]] QString text(int row, int column) const override;
    [[nodiscard]] QVariant value(int row, int column) const override;
    [[nodiscard]] QVariant extra(int row, int column, int role) const override;

private:
    std::vector<Column> m_columns;
    std::vector<evidence::Event> m_events;
};

}  // namespace signalbox::ui
