// SPDX-License-Identifier: MIT
#include "ui/pages/events/events_model.h"

#include "ui/models/event_words.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <iterator>

namespace signalbox::ui {

static constexpr qsizetype kHashShown = 12;

EventsModel::EventsModel(QObject* parent)
    : RowModel(parent), m_columns{{tr("Time"), CellKind::number, tr("Local time; UTC on hover"), 150},
                                  {tr("What"), CellKind::text, tr("The kind of event"), 180},
                                  {tr("Of what"), CellKind::id, tr("The endpoint, policy, mode or variable that it happened to"), 190},
                                  {tr("By"), CellKind::text, tr("Who did it, as they call themselves; the gateway itself where nobody did"), 150},
                                  {tr("In words"), CellKind::muted, tr("What the gateway wrote down"), 330},
                                  {tr("Gateway"), CellKind::text, tr("The name that the gateway goes by in evidence.target"), 90}} {}

bool EventsModel::set(std::vector<evidence::Event> events) {
    if (events == m_events) return false;
    beginResetModel();
    m_events = std::move(events);
    endResetModel();
    return true;
}

void EventsModel::append(std::vector<evidence::Event> events) {
    if (events.empty()) return;
    beginInsertRows({}, rows(), rows() + static_cast<int>(events.size()) - 1);
    m_events.insert(m_events.end(), std::make_move_iterator(events.begin()), std::make_move_iterator(events.end()));
    endInsertRows();
}

const evidence::Event* EventsModel::at(int row) const { return row >= 0 && row < rows() ? &m_events[static_cast<std::size_t>(row)] : nullptr; }

int EventsModel::rowOf(const evidence::EventId& id) const {
    const auto found = std::find_if(m_events.begin(), m_events.end(), [&id](const evidence::Event& event) { return event.id == id; });
    return found == m_events.end() ? -1 : static_cast<int>(found - m_events.begin());
}

QString EventsModel::text(int row, int column) const {
    const evidence::Event& event = m_events[static_cast<std::size_t>(row)];
    switch (column) {
    case Time: return format::dateTime(event.createdAt);
    case What: return words::eventKind(event.kind);
    case Subject: {
        if (event.subject.empty()) return format::none();
        const QString subject = format::text(event.subject);
        return event.subject == event.policyHash ? subject.left(kHashShown) : subject;
    }
    case Who: {
        const QString who = words::actorWords(event.actor);
        return !who.isEmpty() ? who : event.actor == evidence::kByGateway ? tr("the gateway") : tr("an operator");
    }
    case Words: return format::text(event.words);
    case Gateway: return event.target.empty() ? format::none() : format::text(event.target);
    default: return {};
    }
}

QVariant EventsModel::value(int row, int column) const {
    if (column != Time) return text(row, column);
    return static_cast<qlonglong>(m_events[static_cast<std::size_t>(row)].createdAt.time_since_epoch().count());
}

QVariant EventsModel::extra(int row, int column, int role) const {
    const evidence::Event& event = m_events[static_cast<std::size_t>(row)];
    if (role == ToneRole && column == What) return static_cast<int>(words::eventTone(event));
    if (role != Qt::ToolTipRole) return {};
    if (column == Time) return format::utc(event.createdAt);
    return column == Subject ? format::text(event.subject) : text(row, column);
}

}  // namespace signalbox::ui
