// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/fake_target.h"
#include "ui/bridge/bridge.h"
#include "ui/bridge/targets.h"
#include "ui/document/gateway_control.h"
#include "ui/document/policy_document.h"
#include "ui/settings/settings.h"
#include "ui/shell/main_window.h"

#include <QTemporaryDir>

namespace signalbox::test {

/// The whole console over a fake target: the demo workspace open, its gateway running, a few recorded hours behind it.
/// Settings stand in a temporary folder.
class ConsoleFixture {
public:
    enum class Gateway { running, stopped };
    explicit ConsoleFixture(Gateway gateway = Gateway::running);
    ~ConsoleFixture();

    /// False when the demo workspace could not be loaded; `why` says so.
    [[nodiscard]] bool isReady() const { return why.isEmpty(); }
    QString why;

    std::shared_ptr<FakeTarget> target;
    /// A gateway elsewhere that runs the demo as well; `lookElsewhere` shows it under this name.
    std::shared_ptr<FakeTarget> elsewhere;
    std::unique_ptr<ui::Bridge> bridge;
    std::unique_ptr<ui::PolicyDocument> document;
    std::unique_ptr<ui::GatewayControl> gateway;
    std::unique_ptr<ui::Settings> settings;
    std::unique_ptr<ui::Targets> targets;
    std::unique_ptr<ui::MainWindow> window;
    FakeHistory::Records records;

    /// Adds `elsewhere` as `name`, whose token a variable holds, and looks at it.
    void lookElsewhere(const QString& name);
    /// Turns the event loop until every question asked so far is answered and drawn.
    void settle();

private:
    QTemporaryDir m_folder;
};

}  // namespace signalbox::test
