// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/clock.h"
#include "router/engine/target.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

namespace signalbox::ui {

/// What serves, as it was at one moment. Values: a page may keep them.
struct FleetState {
    std::vector<engine::EndpointHealth> endpoints;  ///< sorted by id
    std::vector<dispatch::PoolView> pools;          ///< in the order of the file
    std::vector<engine::ResourceView> resources;    ///< by name
    Steady readSteady{};  ///< when that was; steady, since a clock may be set back
    // By a gateway that runs: that there are none is known only then.
    bool endpointsTold = false, poolsTold = false;
};

/// The endpoints, pools and resources of one target: asked on a worker about once a second while somebody follows, since
/// a pool prices its candidates for the answer. Lives on the GUI thread; nothing here blocks it.
class Fleet : public QObject {
    Q_OBJECT
public:
    explicit Fleet(std::shared_ptr<engine::Target> target, QObject* parent = nullptr);
    ~Fleet() override;

    /// Of another gateway from here on; what was read of the last one is forgotten.
    void lookAt(std::shared_ptr<engine::Target> target);
    /// As of the last answer; empty before the first one.
    [[nodiscard]] const FleetState& state() const { return m_state; }
    [[nodiscard]] bool wasRead() const { return m_state.readSteady != Steady{}; }
    /// Held by a page for as long as it shows this.
    using Interest = std::shared_ptr<const void>;
    [[nodiscard]] Interest follow();

    /// What an operator does to an endpoint. `done` comes on the GUI thread, with a new state already asked for.
    void act(const std::string& endpointId, engine::EndpointAction action, std::function<void(Result<void>)> done);
    /// What the router of a running pool would choose. A forecast asked later overtakes: the answer of an earlier one is
    /// then dropped. `done` comes on the GUI thread.
    void forecast(const std::string& poolId, const dispatch::PoolQuestion& question, std::function<void(Result<dispatch::PoolForecast>)> done);
    /// Drops the answer of the forecast under way.
    void dropForecast() { ++m_forecastJob; }

Q_SIGNALS:
    /// A new state is there; about once a second while followed, for ages and rests count on.
    void changed();

private:
    void read();

    std::shared_ptr<engine::Target> m_target;
    FleetState m_state;
    std::weak_ptr<const void> m_followed;
    QTimer m_timer;
    bool m_reading = false, m_again = false;
    quint64 m_forecastJob = 0;
    quint64 m_looks = 0;  ///< tells the answers of the gateway that was looked at before
};

}  // namespace signalbox::ui
