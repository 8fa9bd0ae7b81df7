// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page.h"
#include "ui/pages/endpoints/topology.h"

#include <QPointer>
#include <QTimer>

#include <optional>

class QLabel;
class QStackedWidget;
class QTabBar;

namespace signalbox::ui {

class EmptyState;
class EndpointSheet;
class EndpointsModel;
class ErrorBanner;
class ModelsHint;
class PoolSheet;
class Section;
class TableView;
class TopologyView;

/// "Is it us, the engine or the provider?" What serves now: models, routers and endpoints drawn with what is in flight,
/// slots, quotas and circuits; the same as a table beside the engines' own numbers; and what an operator may do.
class EndpointsPage : public Page {
    Q_OBJECT
public:
    explicit EndpointsPage(PageContext context, QWidget* parent = nullptr);
    ~EndpointsPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("endpoints"); }
    [[nodiscard]] QString name() const override { return tr("Endpoints"); }
    [[nodiscard]] QString question() const override { return tr("What is serving, and how well?"); }
    [[nodiscard]] QString iconName() const override { return QStringLiteral("endpoints"); }
    /// The tables have windows of their own, which stand above them.
    [[nodiscard]] RangeUse rangeUse() const override { return RangeUse::part; }
    [[nodiscard]] QString rangedPart() const override { return tr("Circuit history"); }
    /// `endpoint` = `provider:model`, or `pool` = a model of `[models]`.
    void open(const QVariantMap& arguments) override;
    [[nodiscard]] QVariantMap state() const override;
    [[nodiscard]] QList<QAction*> pageActions() const override { return m_actions; }
    [[nodiscard]] QList<Findable> findables() const override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeLayout();
    void makeActions();
    [[nodiscard]] QWidget* makeTable();
    void connectSources();

    // What is shown.
    void refresh();
    void showTopology();
    void sayNoEndpoints(bool isTold);
    void showEmpty();
    void showNotHeard();
    void refreshInspector();
    void inspectEndpoint(const QString& endpointId);
    void inspectPool(const QString& poolId);
    void openNode(int node);
    void letGo();
    void chooseNoEndpoint();
    void tellGone(const QString& what);
    void tellEndpointGone(const QString& endpointId);
    void tellPoolGone(const QString& poolId);
    void stopTellingGone();
    void askEvents();
    /// Whether what a list lacks is not there: it was told, and read since the page was shown; what is at hand before may be
    /// from the last time.
    [[nodiscard]] bool knows(bool FleetState::*told) const;
    [[nodiscard]] const dispatch::PoolView* pool(const QString& poolId) const;
    [[nodiscard]] const config::Model* modelOf(const QString& poolId) const;

    // What is done.
    void want(engine::EndpointAction action);
    void act(const std::string& endpointId, engine::EndpointAction action);
    void judgeOffer();
    void endOffer();

    /// What the banner says was done, with the button that takes it back.
    struct Offer {
        std::string endpointId;
        engine::EndpointAction done;
        bool wasSeen = false;  ///< in the state of the endpoint
    };
    std::optional<Offer> m_offer;
    QTimer m_offerEnds;
    bool m_tellsGone = false;  ///< the banner says that an endpoint or a pool is not there
    Steady m_shownAt{};        ///< steady, since a clock may be set back
    quint64 m_look = 0;  ///< counts the gateways looked at: what is answered of an earlier one offers nothing to click
    QString m_endpoint, m_pool;  ///< what the inspector shows; at most one of them
    QList<QAction*> m_actions;
    EndpointsModel* m_model;
    TableView* m_table;
    TableView* m_engines;
    QTabBar* m_tabs;
    TopologyView* m_topology;
    ModelsHint* m_hint;
    Section* m_picture = nullptr;
    ErrorBanner* m_banner;
    EmptyState* m_empty;
    QList<QLabel*> m_noEndpoints;  ///< of both tables
    QStackedWidget* m_stack;
    QPointer<EndpointSheet> m_endpointSheet;
    QPointer<PoolSheet> m_poolSheet;
    Fleet::Interest m_interest;
    TicketPtr m_ticket;
};

}  // namespace signalbox::ui
