// SPDX-License-Identifier: MIT
#pragma once

#include "app/console/arguments.h"
#include "app/console/prepare.h"
#include "ui/settings/settings.h"

#include <QObject>
#include <QWidget>

#include <memory>

namespace signalbox::ui {
class Bridge;
class GatewayControl;
class MainWindow;
class PolicyDocument;
class Targets;
}  // namespace signalbox::ui

namespace signalbox::console {

class Keyring;

/// The desktop program put together: theme, target, bridge, document and window, in the order of their lives.
class Console : public QObject {
    Q_OBJECT
public:
    explicit Console(Arguments arguments);
    ~Console() override;

    /// Prepares on a worker, then shows the window. Quits the application with a message when it cannot.
    void start();

private:
    void showWaiting();
    void show(Result<Prepared> prepared);
    /// Started on what is no policy: the first one that opens becomes this console's own.
    void settleWhenOpened();
    void settle();
    /// What could not be had; false when all could.
    bool complainOf(const Prepared& prepared);

    Arguments m_arguments;
    ui::Settings m_settings;
    std::shared_ptr<engine::Target> m_target;
    std::unique_ptr<ui::Bridge> m_bridge;
    std::unique_ptr<Keyring> m_keyring;
    std::unique_ptr<ui::Targets> m_targets;
    std::unique_ptr<ui::PolicyDocument> m_document;
    std::unique_ptr<ui::GatewayControl> m_gateway;
    std::unique_ptr<ui::MainWindow> m_window;
    std::unique_ptr<QWidget> m_waiting;
};

}  // namespace signalbox::console
