// SPDX-License-Identifier: MIT
#pragma once

#include "router/config/types.h"
#include "router/dispatch/pool_view.h"

#include <QWidget>

#include <optional>

class QLabel;

namespace signalbox::ui {

class LiveFacts;
class MixPlot;
class PoolCandidatesModel;
class Section;
class TableView;
class ToneText;

/// One pool in the inspector: its candidates with price, time and share, and what its strategy goes by: RouteWise's mix,
/// envelope and backups, a local server's load. Every estimate says so, with the real calls behind it.
class PoolSheet : public QWidget {
    Q_OBJECT
public:
    explicit PoolSheet(QWidget* parent = nullptr);
    /// `model` is the pool in the running policy's file, null when it is not known.
    void show(const dispatch::PoolView& pool, const config::Model* model);
    [[nodiscard]] MixPlot* plot() const { return m_plot; }

Q_SIGNALS:
    void endpointWanted(const QString& endpointId);
    void simulationWanted();

private:
    LiveFacts* m_head;
    TableView* m_table;
    PoolCandidatesModel* m_candidates;
    ToneText* m_verdict;
    Section* m_mixSection;
    MixPlot* m_plot;
    LiveFacts* m_mix;
    Section* m_envelopeSection;
    ToneText* m_envelopeVerdict;
    LiveFacts* m_envelope;
    Section* m_hedgeSection;
    LiveFacts* m_hedge;
    Section* m_localSection;
    LiveFacts* m_local;
};

/// Requests that a quota's price needs before it is calibrated, as the pool's parameters say; nullopt when they say
/// nothing.
[[nodiscard]] std::optional<std::uint64_t> envelopeNeeds(const config::Model& model);

}  // namespace signalbox::ui
