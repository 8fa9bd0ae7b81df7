// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/topology.h"

#include "ui/models/pool_words.h"
#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace signalbox::ui {

namespace {

struct TopologyWords {
    Q_DECLARE_TR_FUNCTIONS(Topology)
};

using Kind = TopologyNode::Kind;

/// Builds it in the order in which it is read: what has a router, what has none, endpoints.
class Maker {
public:
    Maker(const std::vector<EndpointRow>& rows, const std::vector<dispatch::PoolView>& pools) : m_rows(rows), m_pools(pools) {}

    Topology make(const policy::PolicySnapshot* running) {
        for (const auto& pool : m_pools) addPool(pool);
        if (running != nullptr) addDirect(*running);
        addEndpoints();
        connect();
        return std::move(m_out);
    }

private:
    struct Way {
        std::size_t from;
        std::string to;
        QString label;
        bool isOpen = true;
        double share = 0;
    };

    void addPool(const dispatch::PoolView& pool) {
        const QString id = format::text(pool.id), router = words::router(pool.router);
        TopologyNode model{Kind::model, id, id, {}, {}, -1, {}, {}, {}};
        QStringList aliases;
        for (const std::string& alias : pool.aliases) aliases << format::text(alias);
        if (!aliases.isEmpty()) model.lines << TopologyWords::tr("also %1").arg(aliases.join(QStringLiteral(", ")));
        model.sentence = TopologyWords::tr("Model %1, served by a router over %n endpoint(s).", nullptr, static_cast<int>(pool.members.size())).arg(id);
        TopologyNode strategy{Kind::router, id, router, {}, {}, -1, {}, {}, {}};
        if (words::isExperimental(pool.router)) strategy.lines << TopologyWords::tr("experimental");
        strategy.lines << TopologyWords::tr("%1 requests").arg(format::count(pool.requests));
        strategy.sentence = TopologyWords::tr("Router of %1: %2. %3").arg(id, router, words::routerHelp(pool.router));
        m_out.nodes.push_back(std::move(model));
        m_out.nodes.push_back(std::move(strategy));
        m_out.edges.push_back({m_out.nodes.size() - 2, m_out.nodes.size() - 1, {}, true, 0, {}, {}, {}});
        addMembers(pool, m_out.nodes.size() - 1);
    }

    // Where local servers come first, shares are of what they leave over; there are none while they leave nothing.
    void addMembers(const dispatch::PoolView& pool, std::size_t router) {
        const bool localFirst = pool.local.has_value();
        std::vector<double> shares;
        for (const auto& member : pool.members) shares.push_back(localFirst && member.kind == "local" ? 0 : member.share);
        const std::vector<int> percents = words::percents(shares);
        const bool anyShare = std::any_of(percents.begin(), percents.end(), [](int percent) { return percent > 0; });
        for (std::size_t i = 0; i < pool.members.size(); ++i) {
            const auto& member = pool.members[i];
            const bool isFirst = localFirst && member.kind == "local";
            const QString label = isFirst ? TopologyWords::tr("first") : anyShare ? TopologyWords::tr("%1 %").arg(percents[i]) : localFirst ? TopologyWords::tr("then") : format::none();
            m_ways.push_back({router, member.endpointId, label, member.excluded.empty(), isFirst ? 1.0 : percents[i] / 100.0});
        }
    }

    // The upstream's name of a preset: the binding's, else the table's served name, else its model.
    static std::string endpointOf(const config::PresetBinding& binding, const table::RoutingTable& table) {
        std::string model = binding.model.value_or("");
        if (model.empty())
            for (const table::Preset& preset : table.presets)
                if (preset.presetKey == binding.presetKey) model = preset.servedModelName.value_or(preset.model);
        return binding.provider + ":" + model;
    }

    void addDirect(const policy::PolicySnapshot& policy) {
        std::set<std::string> byPresets;
        QStringList keys;
        for (const config::PresetBinding& binding : policy.config->presetBindings) {
            if (binding.pool) markPreset(*binding.pool, binding.presetKey);
            if (binding.pool || binding.provider.empty()) continue;
            keys << format::text(binding.presetKey);
            byPresets.insert(endpointOf(binding, *policy.table));
        }
        if (!byPresets.empty())
            direct(QStringLiteral("presets"), TopologyWords::tr("Presets"), TopologyWords::tr("%n with an endpoint", nullptr, static_cast<int>(keys.size())), TopologyWords::tr("Presets that name an endpoint themselves: %1.").arg(keys.join(QStringLiteral(", "))), byPresets);
        for (const config::SmartGroup& group : policy.config->routing.groups) {
            std::set<std::string> candidates;
            for (const config::Candidate& candidate : group.candidates) {
                const config::Model* pool = candidate.pool ? policy.config->findModel(*candidate.pool) : nullptr;
                if (pool != nullptr)
                    for (const config::Route& route : pool->routes) candidates.insert(route.endpointId());
                else if (!candidate.pool) candidates.insert(candidate.provider + ":" + candidate.model);
            }
            direct(QStringLiteral("groups"), format::text(group.id), TopologyWords::tr("smart group"), TopologyWords::tr("Smart group %1: its candidates are tried in the order that its mode and their scores say.").arg(format::text(group.id)), candidates);
        }
    }

    void markPreset(const std::string& pool, const std::string& preset) {
        for (TopologyNode& node : m_out.nodes)
            if (node.kind == Kind::model && node.key == format::text(pool)) node.lines << TopologyWords::tr("preset %1").arg(format::text(preset));
    }

    void direct(const QString& page, const QString& title, const QString& line, const QString& sentence, const std::set<std::string>& endpoints) {
        m_out.nodes.push_back({Kind::direct, title, title, {line}, {}, -1, page, sentence, {}});
        for (const std::string& endpoint : endpoints) m_ways.push_back({m_out.nodes.size() - 1, endpoint, {}, true, 0});
    }

    // In the order in which pools name them, so that few ways cross; then the rest.
    void addEndpoints() {
        std::vector<const EndpointRow*> order;
        const auto add = [&](const std::string& id) {
            const auto row = std::find_if(m_rows.begin(), m_rows.end(), [&](const EndpointRow& one) { return one.health.endpointId == id; });
            if (row != m_rows.end() && std::find(order.begin(), order.end(), &*row) == order.end()) order.push_back(&*row);
        };
        for (const Way& way : m_ways) add(way.to);
        for (const EndpointRow& row : m_rows) add(row.health.endpointId);
        for (const EndpointRow* row : order) addEndpoint(*row);
    }

    void addEndpoint(const EndpointRow& row) {
        const QString id = format::text(row.health.endpointId);
        TopologyNode node{Kind::endpoint, id, id, {}, stateWords(row.health), -1, {}, {}, {}};
        QStringList facts{TopologyWords::tr("%1 in flight").arg(row.health.inFlight)};
        if (row.slots) facts << TopologyWords::tr("slots %1").arg(slotsText(row));
        if (row.quota) facts << quotaText(row);
        if (row.slots && row.slots->limit > 0) node.load = double(row.slots->used) / double(row.slots->limit);
        node.lines << facts.join(QStringLiteral(" · "));
        node.sentence = TopologyWords::tr("Endpoint %1: %2. %3. %4").arg(id, node.state->brief, facts.join(QStringLiteral(", ")), node.state->full);
        m_nodeOf[row.health.endpointId] = m_out.nodes.size();
        m_out.nodes.push_back(std::move(node));
    }

    void connect() {
        for (const Way& way : m_ways) {
            const auto end = m_nodeOf.find(way.to);
            if (end != m_nodeOf.end()) m_out.edges.push_back({way.from, end->second, way.label, way.isOpen, way.share, {}, {}, {}});
        }
    }

    const std::vector<EndpointRow>& m_rows;
    const std::vector<dispatch::PoolView>& m_pools;
    Topology m_out;
    std::vector<Way> m_ways;
    std::map<std::string, std::size_t> m_nodeOf;
};

constexpr double kTop = 4, kBetween = 10, kPort = 20, kLabelWidth = 44, kLabelHeight = 18;
constexpr double kModelHeight = 44, kEndpointHeight = 64;

/// Left edge and width of the three columns.
struct Columns {
    double left[3], width[3];
    explicit Columns(double room) {
        const double share = room - kLeastTopologyWidth;
        width[0] = 130 + share * 0.14;
        width[1] = 120 + share * 0.10;
        width[2] = 228 + share * 0.36;
        const double gaps = room - width[0] - width[1] - width[2];
        left[0] = 0;
        left[1] = width[0] + gaps * 0.22;
        left[2] = room - width[2];
    }
};

int columnOf(Kind kind) { return kind == Kind::endpoint ? 2 : kind == Kind::router ? 1 : 0; }

}  // namespace

Topology topologyOf(const std::vector<EndpointRow>& rows, const std::vector<dispatch::PoolView>& pools, const policy::PolicySnapshot* running) {
    return Maker(rows, pools).make(running);
}

// Endpoints as high as their incoming ways need, each way with a port of its own.
static double placeEndpoints(Topology& topology, const Columns& columns) {
    double y = kTop;
    for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
        TopologyNode& node = topology.nodes[i];
        if (node.kind != Kind::endpoint) continue;
        const auto labelled = std::count_if(topology.edges.begin(), topology.edges.end(), [&](const TopologyEdge& edge) { return edge.to == i; });
        const double height = std::max(kEndpointHeight, static_cast<double>(labelled) * kPort + 4);
        node.box = {columns.left[2], y, columns.width[2], height};
        y += height + kBetween;
        double port = node.box.center().y() - static_cast<double>(labelled - 1) * kPort / 2;
        for (TopologyEdge& edge : topology.edges) {
            if (edge.to != i) continue;
            edge.end = {node.box.left(), port};
            edge.labelBox = {edge.end.x() - kLabelWidth - 6, port - kLabelHeight / 2, kLabelWidth, kLabelHeight};
            port += kPort;
        }
    }
    return y;
}

// Each as near as it can be to the middle of what it leads to.
static double placeSources(Topology& topology, const Columns& columns) {
    double lowest = kTop;
    for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
        TopologyNode& node = topology.nodes[i];
        if (node.kind != Kind::model && node.kind != Kind::direct) continue;
        const std::size_t source = node.kind == Kind::model ? i + 1 : i;  // its router follows a model
        double sum = 0;
        int ways = 0;
        for (const TopologyEdge& edge : topology.edges)
            if (edge.from == source && edge.to != source && topology.nodes[edge.to].kind == Kind::endpoint) sum += edge.end.y(), ++ways;
        const double wanted = ways == 0 ? lowest : sum / ways - kModelHeight / 2;
        const double y = std::max(lowest, wanted);
        node.box = {columns.left[0], y, columns.width[0], kModelHeight};
        if (node.kind == Kind::model) topology.nodes[source].box = {columns.left[1], y, columns.width[1], kModelHeight};
        lowest = y + kModelHeight + kBetween;
    }
    return lowest;
}

// A picture whose left is longer than its right starts at the top.
static void pullUp(Topology& topology, double surplus) {
    double above = kTop;
    for (TopologyNode& node : topology.nodes) {
        if (node.kind == Kind::endpoint || node.kind == Kind::router) continue;
        const double y = std::max(above, node.box.top() - surplus);
        const bool isModel = node.kind == Kind::model;
        node.box.moveTop(y);
        if (isModel) (&node + 1)->box.moveTop(y);
        above = y + kModelHeight + kBetween;
    }
}

void layOut(Topology& topology, double width) {
    const double room = std::max(width, kLeastTopologyWidth);
    const Columns columns(room);
    const double right = placeEndpoints(topology, columns);
    double lowest = placeSources(topology, columns);
    if (lowest > right) pullUp(topology, lowest - right);
    lowest = right;
    for (const TopologyNode& node : topology.nodes) lowest = std::max(lowest, node.box.bottom() + kBetween);
    topology.size = {room, std::max(0.0, lowest - kBetween + kTop)};
    for (TopologyEdge& edge : topology.edges) {
        const QRectF& from = topology.nodes[edge.from].box;
        edge.start = {from.right(), from.center().y()};
        if (topology.nodes[edge.to].kind == Kind::router) edge.end = {topology.nodes[edge.to].box.left(), edge.start.y()};
    }
}

std::optional<std::size_t> neighbour(const Topology& topology, std::size_t from, Qt::Key key) {
    if (from >= topology.nodes.size()) return std::nullopt;
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        for (const TopologyEdge& edge : topology.edges) {
            if (key == Qt::Key_Right && edge.from == from) return edge.to;
            if (key == Qt::Key_Left && edge.to == from) return edge.from;
        }
        return std::nullopt;
    }
    const int column = columnOf(topology.nodes[from].kind);
    const double y = topology.nodes[from].box.top();
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < topology.nodes.size(); ++i) {
        const double other = topology.nodes[i].box.top();
        const bool isThere = key == Qt::Key_Down ? other > y : other < y;
        if (columnOf(topology.nodes[i].kind) != column || !isThere) continue;
        if (!nearest || std::abs(other - y) < std::abs(topology.nodes[*nearest].box.top() - y)) nearest = i;
    }
    return nearest;
}

}  // namespace signalbox::ui
