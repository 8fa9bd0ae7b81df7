// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/fake_target.h"
#include "tests/ui/document/draft_harness.h"
#include "ui/bridge/bridge.h"
#include "ui/document/gateway_control.h"
#include "ui/settings/settings.h"
#include "ui/shell/main_window.h"

#include <QTest>

namespace signalbox::test {

/// The console's window over a draft on disk and a gateway that is a fake, with no more pages than a test needs.
class DraftWindow {
protected:
    explicit DraftWindow(std::vector<ui::PageEntry> pages) : m_pages(std::move(pages)) {}

    void makeWorld() {
        dropWorld();
        m_world = std::make_unique<DraftHarness>();
        QVERIFY(m_world->open());
        makeWindow();
    }
    /// Whose texts are so long that a worker checks each change.
    void makeLongWorld() {
        dropWorld();
        m_world = std::make_unique<DraftHarness>();
        m_world->options.workerAbove = 0;
        m_world->start();
        QVERIFY(m_world->open());
        makeWindow();
    }
    /// Anew over the world that is there.
    void makeWindow() {
        m_bridge = std::make_unique<ui::Bridge>(std::make_shared<FakeTarget>());
        m_gateway = std::make_unique<ui::GatewayControl>(m_bridge.get(), &document());
        m_settings = std::make_unique<ui::Settings>(m_world->folder.filePath(QStringLiteral("console.ini")));
        m_window = std::make_unique<ui::MainWindow>(ui::MainWindow::Parts{m_bridge.get(), &document(), m_gateway.get(), m_settings.get(), {}}, m_pages);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void dropWorld() {
        m_window.reset();
        m_gateway.reset();
        m_bridge.reset();
        m_world.reset();
    }
    [[nodiscard]] ui::PolicyDocument& document() const { return *m_world->document; }

    std::unique_ptr<DraftHarness> m_world;
    std::unique_ptr<ui::Bridge> m_bridge;
    std::unique_ptr<ui::GatewayControl> m_gateway;
    std::unique_ptr<ui::Settings> m_settings;
    std::unique_ptr<ui::MainWindow> m_window;

private:
    std::vector<ui::PageEntry> m_pages;
};

}  // namespace signalbox::test
