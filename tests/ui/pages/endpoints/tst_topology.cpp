// SPDX-License-Identifier: MIT
#include "tests/ui/pages/endpoints/endpoint_samples.h"
#include "ui/pages/endpoints/topology.h"
#include "ui/theme/format.h"

#include <QTest>

#include <numeric>

using namespace signalbox;
using namespace signalbox::ui;
using Kind = TopologyNode::Kind;

class TopologyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingOverlapsAtAnySize_data() {
        QTest::addColumn<int>("endpoints");
        QTest::addColumn<int>("pools");
        QTest::newRow("1") << 1 << 1;
        QTest::newRow("5") << 5 << 2;
        QTest::newRow("40") << 40 << 6;
        QTest::newRow("40 in one") << 40 << 1;
        QTest::newRow("more models than endpoints") << 2 << 9;
    }
    void nothingOverlapsAtAnySize() {
        QFETCH(int, endpoints);
        QFETCH(int, pools);
        for (const double width : {300.0, 600.0, 850.0, 1'200.0, 2'000.0}) {
            Topology topology = made(endpoints, pools);
            layOut(topology, width);
            QCOMPARE(topology.size.width(), std::max(width, kLeastTopologyWidth));
            for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
                const QRectF& box = topology.nodes[i].box;
                QVERIFY2(QRectF(QPointF(0, 0), topology.size).contains(box), qPrintable(topology.nodes[i].title));
                for (std::size_t j = i + 1; j < topology.nodes.size(); ++j) QVERIFY2(!box.intersects(topology.nodes[j].box), qPrintable(topology.nodes[i].title + topology.nodes[j].title));
            }
            for (std::size_t i = 0; i < topology.edges.size(); ++i) {
                const TopologyEdge& edge = topology.edges[i];
                QVERIFY(edge.end.x() > edge.start.x());
                if (edge.label.isEmpty()) continue;
                for (const TopologyNode& node : topology.nodes) QVERIFY(!edge.labelBox.intersects(node.box));
                for (std::size_t j = i + 1; j < topology.edges.size(); ++j) QVERIFY(topology.edges[j].label.isEmpty() || !edge.labelBox.intersects(topology.edges[j].labelBox));
            }
        }
    }

    void sharesOfAPoolTotalAHundred() {
        auto pool = test::routewisePool();
        for (auto& one : pool.members) one.share = 1.0 / 3, one.excluded.clear();
        pool.members.pop_back();
        const Topology topology = topologyOf(rows(), {pool}, nullptr);
        int sum = 0;
        for (const TopologyEdge& edge : topology.edges)
            if (!edge.label.isEmpty()) sum += edge.label.split(QLatin1Char(' ')).first().toInt();
        QCOMPARE(sum, 100);
    }

    void localServersComeFirstAndShareNothing() {
        const Topology topology = topologyOf(rows(), {test::greedyPool()}, nullptr);
        QStringList labels;
        for (const TopologyEdge& edge : topology.edges)
            if (!edge.label.isEmpty()) labels << edge.label;
        QCOMPARE(labels, (QStringList{QStringLiteral("first"), QStringLiteral("100 %")}));
    }

    void anExcludedMemberIsDrawnAsClosedWay() {
        const Topology topology = topologyOf(rows(), {test::routewisePool()}, nullptr);
        int closed = 0;
        for (const TopologyEdge& edge : topology.edges) closed += edge.isOpen ? 0 : 1;
        QCOMPARE(closed, 2);
    }

    void hybridSaysThatItIsExperimental() {
        auto pool = test::greedyPool();
        pool.router = "hybrid";
        const Topology topology = topologyOf(rows(), {pool}, nullptr);
        QVERIFY(topology.nodes[1].lines.contains(QStringLiteral("experimental")));
    }

    void nodesSayInWordsWhatTheyShow() {
        const Topology topology = topologyOf(rows(), {test::routewisePool()}, nullptr);
        const auto& cooling = node(topology, QStringLiteral("north:north-large"));
        QCOMPARE(cooling.state->brief, QStringLiteral("cooling, 24 s left"));
        QVERIFY(cooling.sentence.contains(QStringLiteral("the provider limits the rate")));
        QVERIFY(node(topology, QStringLiteral("lab_b:qwen3.5-9b")).lines.join(QString()).contains(QStringLiteral("slots 6 of 8")));
        QVERIFY(node(topology, QStringLiteral("batch:plan-5h")).lines.join(QString()).contains(QStringLiteral("0 left, resets in 2 h 14 min")));
    }

    void presetsAndGroupsStandAsPlainWays() {
        auto config = std::make_shared<config::GatewayConfig>();
        config->presetBindings = {{"small-fast", "lab_a", std::nullopt, "gemma-4-26b"}, {"pooled", {}, "assistant", std::nullopt}};
        config::SmartGroup group;
        group.id = "auto";
        group.candidates = {{.provider = "lab_b", .model = "qwen3.5-9b"}, {.provider = "deepseek", .model = "deepseek-v4-flash"}};
        config->routing.groups = {group};
        const auto snapshot = policy::makeSnapshot(std::make_shared<const table::RoutingTable>(), "00", config);
        const Topology topology = topologyOf(rows(), {test::routewisePool()}, snapshot.get());
        QStringList plain;
        for (const TopologyNode& one : topology.nodes)
            if (one.kind == Kind::direct) plain << one.title;
        QCOMPARE(plain, (QStringList{QStringLiteral("Presets"), QStringLiteral("auto")}));
        QVERIFY(topology.nodes[0].lines.contains(QStringLiteral("preset pooled")));
    }

    void arrowsFollowColumnsAndWays() {
        Topology topology = topologyOf(rows(), {test::routewisePool(), test::greedyPool()}, nullptr);
        layOut(topology, 850);
        QCOMPARE(neighbour(topology, 0, Qt::Key_Right), std::optional<std::size_t>(1));
        QCOMPARE(neighbour(topology, 1, Qt::Key_Left), std::optional<std::size_t>(0));
        QCOMPARE(neighbour(topology, 0, Qt::Key_Down), std::optional<std::size_t>(2));
        QCOMPARE(neighbour(topology, 2, Qt::Key_Up), std::optional<std::size_t>(0));
        QVERIFY(!neighbour(topology, 0, Qt::Key_Up));
        // Down from the first endpoint visits every one of them.
        std::size_t at = *neighbour(topology, 1, Qt::Key_Right);
        while (const auto up = neighbour(topology, at, Qt::Key_Up)) at = *up;
        std::size_t seen = 1;
        while (const auto down = neighbour(topology, at, Qt::Key_Down)) at = *down, ++seen;
        QCOMPARE(seen, rows().size());
    }

private:
    static std::vector<EndpointRow> rows() { return endpointRows({test::storyEndpoints(), {}, test::storyResources(), std::chrono::steady_clock::now()}); }
    static const TopologyNode& node(const Topology& topology, const QString& key) {
        return *std::find_if(topology.nodes.begin(), topology.nodes.end(), [&](const TopologyNode& one) { return one.kind == Kind::endpoint && one.key == key; });
    }
    static Topology made(int endpoints, int pools) {
        FleetState state;
        for (int i = 0; i < endpoints; ++i) state.endpoints.push_back(test::endpoint("provider-" + std::to_string(i) + ":model", 1, 200, 400, 100));
        for (int p = 0; p < pools; ++p) {
            dispatch::PoolView pool;
            pool.id = "model-" + std::to_string(p);
            pool.router = "fixed";
            // Every second endpoint is in several pools.
            for (int i = 0; i < endpoints; ++i)
                if (i % pools == p || i % 2 == 0) pool.members.push_back(test::member(state.endpoints[static_cast<std::size_t>(i)].endpointId, "cloud", "on_demand", 0.5, "", 0.001, 300, 5));
            state.pools.push_back(pool);
        }
        return topologyOf(endpointRows(state), state.pools, nullptr);
    }
};

QTEST_GUILESS_MAIN(TopologyTest)
#include "tst_topology.moc"
