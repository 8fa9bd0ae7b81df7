// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace signalbox::ui {

/// The requests under way at one target: asked on a worker about once a second while somebody follows and the target
/// serves. Lives on the GUI thread; nothing here blocks it.
class LiveRequests : public QObject {
    Q_OBJECT
public:
    explicit LiveRequests(std::shared_ptr<engine::Target> target, QObject* parent = nullptr);
    ~LiveRequests() override;

    /// Of another gateway from here on; what was read of the last one is forgotten.
    void lookAt(std::shared_ptr<engine::Target> target);
    /// As of the last answer. Of a gateway that does not serve: none, and told.
    [[nodiscard]] const engine::RequestsUnderWay& state() const { return m_state; }
    /// Held by a page for as long as it shows this.
    using Interest = std::shared_ptr<const void>;
    [[nodiscard]] Interest follow();

Q_SIGNALS:
    /// A new state is there; about once a second while followed, for ages count on.
    void changed();

private:
    void read();

    std::shared_ptr<engine::Target> m_target;
    engine::RequestsUnderWay m_state;
    std::weak_ptr<const void> m_followed;
    QTimer m_timer;
    bool m_reading = false;
    quint64 m_looks = 0;  ///< tells the answers of the gateway that was looked at before
};

}  // namespace signalbox::ui
