// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/page_harness.h"
#include "tests/ui/pages/endpoints/endpoint_samples.h"
#include "ui/pages/endpoints/endpoints_page.h"
#include "ui/pages/endpoints/topology_view.h"
#include "ui/widgets/error_banner.h"
#include "ui/widgets/table_view.h"

namespace signalbox::test {

/// The endpoints page over a fake gateway, with everything that its sentence said.
struct EndpointsBench {
    using EndpointsPage = ui::EndpointsPage;
    using ErrorBanner = ui::ErrorBanner;
    using TableView = ui::TableView;
    using TopologyView = ui::TopologyView;

    void show(bool running = true) {
        if (running) {
            const auto snapshot = policy::makeSnapshot(std::make_shared<const table::RoutingTable>(), "00", std::make_shared<const config::GatewayConfig>());
            QVERIFY(m_harness->target->start({snapshot, {}}).has_value());
            QTRY_VERIFY(m_harness->bridge.running() != nullptr);
        }
        m_harness->view.follow(ui::format::now());
        m_page = std::make_unique<EndpointsPage>(m_harness->context());
        QObject::connect(m_page.get(), &ui::Page::answerChanged, m_page.get(), [this](const QString& sentence) { m_answers << sentence; });
        m_page->resize(900, 700);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    void tell() {
        test::tellStory(*m_harness->target);
        show();
        QTRY_COMPARE(table()->model()->rowCount(), 6);
    }
    [[nodiscard]] TopologyView* topology() const { return m_page->findChild<TopologyView*>(); }
    [[nodiscard]] TableView* table() const { return m_page->findChild<TableView*>(QStringLiteral("endpointsTable")); }
    [[nodiscard]] ErrorBanner* banner() const { return m_page->findChild<ErrorBanner*>(); }
    template <class T>
    [[nodiscard]] T* sheet() const {
        return qobject_cast<T*>(m_harness->inspected.get());
    }
    [[nodiscard]] QPushButton* button(const QString& text) const {
        for (auto* candidate : m_page->findChildren<QPushButton*>())
            if (candidate->text() == text && candidate->isVisible()) return candidate;
        return nullptr;
    }
    [[nodiscard]] static QStringList textsOf(const QWidget* in) {
        QStringList out;
        for (const auto* label : in->findChildren<QLabel*>()) out << label->text();
        return out;
    }
    [[nodiscard]] std::string circuitOf(const std::string& id) const {
        for (const auto& one : m_harness->target->endpoints())
            if (one.endpointId == id) return one.circuit;
        return {};
    }
    [[nodiscard]] bool drained(const std::string& id) const {
        for (const auto& one : m_harness->target->endpoints())
            if (one.endpointId == id) return one.drained;
        return false;
    }

    std::unique_ptr<test::PageHarness> m_harness;
    std::unique_ptr<EndpointsPage> m_page;
    QStringList m_answers;
};

}  // namespace signalbox::test
