// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/snapshot.h"
#include "ui/pages/endpoints/endpoint_rows.h"

#include <QPointF>
#include <QRectF>
#include <QStringList>
#include <Qt>

namespace signalbox::ui {

/// What stands in the picture: a model with its router, what reaches endpoints without one, or an endpoint.
struct TopologyNode {
    enum class Kind { model, router, direct, endpoint };
    Kind kind = Kind::endpoint;
    QString key;                   ///< pool id, or endpoint id
    QString title;
    QStringList lines;             ///< muted, below the title
    std::optional<EndpointWords> state;  ///< of an endpoint: glyph, word and time left
    double load = -1;              ///< slots taken, 0..1; below 0: not known
    QString page;                  ///< where a direct way is kept: presets, groups
    QString sentence;              ///< the whole, for hover and screen readers
    QRectF box;
};

/// A way. One of a pool's members has its share; shares of one pool total 100 %.
struct TopologyEdge {
    std::size_t from = 0, to = 0;  ///< nodes
    QString label;                 ///< "62 %", "first"; empty where nothing is shared out
    bool isOpen = true;            ///< its end takes requests now
    double share = 0;              ///< 0..1
    QPointF start, end;
    QRectF labelBox;
};

struct Topology {
    std::vector<TopologyNode> nodes;  ///< models and their routers, direct ways, endpoints
    std::vector<TopologyEdge> edges;
    QSizeF size;                      ///< that the layout took
};

/// Model -> router -> members -> endpoints; presets and groups of `running` that reach endpoints directly stand as plain
/// nodes. `running` may be null.
[[nodiscard]] Topology topologyOf(const std::vector<EndpointRow>& rows, const std::vector<dispatch::PoolView>& pools, const policy::PolicySnapshot* running);

/// The least width in which it can be read.
inline constexpr double kLeastTopologyWidth = 600;
/// Gives every node and edge its place in `width` pixels (at least the least): columns from left to right, no box touching
/// another. Pure.
void layOut(Topology& topology, double width);

/// The node that an arrow key leads to: up and down in the column, left and right along a way.
[[nodiscard]] std::optional<std::size_t> neighbour(const Topology& topology, std::size_t from, Qt::Key key);

}  // namespace signalbox::ui
