// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/endpoints/topology.h"

#include <QWidget>

namespace signalbox::ui {

/// Models, routers and endpoints with the ways between them. Arrow keys move from node to node, Enter opens one; the
/// current one is also the accessible description.
class TopologyView : public QWidget {
    Q_OBJECT
public:
    explicit TopologyView(QWidget* parent = nullptr);

    /// Keeps the current node while it is still there.
    void setTopology(Topology topology);
    [[nodiscard]] const Topology& topology() const { return m_topology; }
    [[nodiscard]] std::optional<std::size_t> current() const { return m_current; }
    /// Marks what the inspector shows; nothing when no node has that kind and key.
    void mark(TopologyNode::Kind kind, const QString& key);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Clicked, or Enter.
    void opened(int node);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void place();
    void moveTo(std::optional<std::size_t> node);
    [[nodiscard]] std::optional<std::size_t> nodeAt(const QPointF& position) const;
    void paintEdge(QPainter& painter, const TopologyEdge& edge) const;
    void paintLabel(QPainter& painter, const TopologyEdge& edge) const;
    void paintNode(QPainter& painter, std::size_t index) const;
    [[nodiscard]] bool isLit(const TopologyEdge& edge) const;

    Topology m_topology;
    std::optional<std::size_t> m_current, m_hovered, m_marked;
    TopologyNode::Kind m_markedKind = TopologyNode::Kind::endpoint;
    QString m_markedKey;
    bool m_keyboard = false;
};

}  // namespace signalbox::ui
