// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/event.h"
#include "ui/pages/endpoints/endpoint_rows.h"

#include <QWidget>

#include <functional>

class QPushButton;
class QVBoxLayout;

namespace signalbox::ui {

class LiveFacts;
class Section;

/// One endpoint in the inspector: its state and what an operator may do to it, what was measured, what its engine says,
/// its pools, and how its circuit went over the page's range.
class EndpointSheet : public QWidget {
    Q_OBJECT
public:
    explicit EndpointSheet(QWidget* parent = nullptr);
    void show(const EndpointRow& row);
    /// Newest first; `when` names the range.
    void showEvents(const Result<std::vector<evidence::Event>>& events, const QString& when);
    /// Its gateway's history is not the one that is read here: says whose is, and leads nowhere.
    void showNoHistory(const QString& why);

Q_SIGNALS:
    void actionWanted(signalbox::engine::EndpointAction action);
    void poolWanted(const QString& poolId);
    void decisionsWanted();

private:
    void showPools(const EndpointRow& row);

    bool m_drained = false, m_open = false;
    QStringList m_poolIds;
    QPushButton* m_drain;
    QPushButton* m_circuit;
    LiveFacts* m_state;
    LiveFacts* m_measured;
    Section* m_engineSection;
    LiveFacts* m_engine;
    Section* m_poolSection;
    QVBoxLayout* m_pools;
    Section* m_history;
    QVBoxLayout* m_events;
    QPushButton* m_decisions;
};

/// At most so many are listed.
inline constexpr std::size_t kMostCircuitEvents = 30;

}  // namespace signalbox::ui
