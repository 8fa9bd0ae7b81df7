// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/topology_view.h"

#include "ui/theme/colors.h"
#include "ui/theme/plain_tip.h"
#include "ui/theme/theme.h"
#include "ui/theme/tone_glyph.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <cmath>

namespace signalbox::ui {

static constexpr double kPad = 10, kGlyph = 9;

TopologyView::TopologyView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("topology"));
    setAccessibleName(tr("Models, routers and endpoints"));
    setAccessibleDescription(tr("Arrow keys move from node to node, Enter opens one. The table below holds the same."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize TopologyView::minimumSizeHint() const { return {static_cast<int>(kLeastTopologyWidth), static_cast<int>(std::ceil(m_topology.size.height()))}; }
QSize TopologyView::sizeHint() const { return minimumSizeHint(); }

static std::optional<std::size_t> nodeOf(const Topology& topology, TopologyNode::Kind kind, const QString& key) {
    for (std::size_t i = 0; i < topology.nodes.size(); ++i)
        if (topology.nodes[i].kind == kind && topology.nodes[i].key == key) return i;
    return std::nullopt;
}

void TopologyView::setTopology(Topology topology) {
    if (m_current) {
        const TopologyNode& node = m_topology.nodes[*m_current];
        m_current = nodeOf(topology, node.kind, node.key);
    }
    m_hovered.reset();
    const QSizeF before = m_topology.size;
    m_topology = std::move(topology);
    m_marked = nodeOf(m_topology, m_markedKind, m_markedKey);
    place();
    if (m_topology.size != before) updateGeometry();
}

void TopologyView::place() {
    layOut(m_topology, width());
    setMinimumHeight(static_cast<int>(std::ceil(m_topology.size.height())));
    update();
}

void TopologyView::mark(TopologyNode::Kind kind, const QString& key) {
    m_markedKind = kind;
    m_markedKey = key;
    m_marked = nodeOf(m_topology, kind, key);
    update();
}

void TopologyView::resizeEvent(QResizeEvent*) { place(); }

// The ways of what is pointed at, or else of what the inspector shows, stand out.
bool TopologyView::isLit(const TopologyEdge& edge) const {
    const auto lit = m_hovered ? m_hovered : m_keyboard && hasFocus() ? m_current : m_marked;
    if (!lit) return false;
    const auto& nodes = m_topology.nodes;
    if (edge.from == *lit || edge.to == *lit) return true;
    // A model lights what its router does, and its router the model.
    const TopologyNode& node = nodes[*lit];
    const bool samePool = node.kind == TopologyNode::Kind::model || node.kind == TopologyNode::Kind::router;
    return samePool && nodes[edge.from].kind != TopologyNode::Kind::direct && nodes[edge.from].key == node.key;
}

static QPainterPath pathOf(const TopologyEdge& edge, double end) {
    QPainterPath path(edge.start);
    const double reach = std::max(24.0, (end - edge.start.x()) * 0.5);
    path.cubicTo({edge.start.x() + reach, edge.start.y()}, {end - reach, edge.end.y()}, {end, edge.end.y()});
    return path;
}

void TopologyView::paintEdge(QPainter& painter, const TopologyEdge& edge) const {
    const Theme& theme = Theme::instance();
    const bool lit = isLit(edge);
    const QColor quiet = colors::mix(theme.color(Surface::panel), theme.color(Surface::textMuted), 0.55);
    QPen pen(lit ? theme.color(Surface::accent) : quiet, 1.2 + 3.2 * edge.share);
    pen.setCapStyle(Qt::FlatCap);
    if (!edge.isOpen) pen.setDashPattern({3, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const double end = edge.label.isEmpty() ? edge.end.x() : edge.labelBox.left();
    painter.drawPath(pathOf(edge, end));
    if (!edge.label.isEmpty()) painter.drawLine(QPointF(edge.labelBox.right(), edge.end.y()), edge.end);
}

void TopologyView::paintLabel(QPainter& painter, const TopologyEdge& edge) const {
    if (edge.label.isEmpty()) return;
    const Theme& theme = Theme::instance();
    painter.setPen(QPen(theme.color(isLit(edge) ? Surface::accent : Surface::hairline), 1));
    painter.setBrush(theme.color(Surface::panel));
    painter.drawRoundedRect(edge.labelBox.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setFont(theme.smallFont());
    painter.setPen(theme.color(edge.isOpen ? Surface::text : Surface::textMuted));
    painter.drawText(edge.labelBox, Qt::AlignCenter, QFontMetricsF(theme.smallFont()).elidedText(edge.label, Qt::ElideRight, edge.labelBox.width() - 4));
}

static void line(QPainter& painter, const QFont& font, const QColor& color, const QRectF& room, const QString& text, Qt::TextElideMode mode = Qt::ElideRight) {
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, QFontMetricsF(font).elidedText(text, mode, room.width()));
}

void TopologyView::paintNode(QPainter& painter, std::size_t index) const {
    const Theme& theme = Theme::instance();
    const TopologyNode& node = m_topology.nodes[index];
    const bool isEndpoint = node.kind == TopologyNode::Kind::endpoint;
    const bool isMarked = m_marked == index;
    const QRectF plate = node.box.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(theme.color(isMarked ? Surface::accent : Surface::hairline), isMarked ? 1.6 : 1));
    painter.setBrush(theme.color(isMarked ? Surface::selection : m_hovered == index ? Surface::hover : Surface::raised));
    painter.drawRoundedRect(plate, 4, 4);
    double left = node.box.left() + kPad, y = node.box.top() + 4;
    const double right = node.box.right() - kPad;
    if (isEndpoint) {
        y = node.box.center().y() - 29;
        painter.fillRect(QRectF(left, y + 6, 8, 8), theme.seriesColor(node.key));
        left += 14;
    }
    QFont title = isEndpoint ? theme.fixedFont() : theme.font();
    if (node.kind == TopologyNode::Kind::model) title.setWeight(QFont::DemiBold);
    line(painter, title, theme.color(Surface::text), {left, y, right - left, 20}, node.title, isEndpoint ? Qt::ElideMiddle : Qt::ElideRight);
    y += 18;
    left = node.box.left() + kPad;
    if (node.state) {
        paintToneGlyph(painter, {left, y + 5, kGlyph, kGlyph}, node.state->tone, theme.color(node.state->tone));
        line(painter, theme.smallFont(), theme.color(node.state->tone == Tone::clear ? Surface::textMuted : Surface::text), {left + 14, y, right - left - 14, 18}, node.state->brief);
        y += 18;
    }
    line(painter, theme.smallFont(), theme.color(Surface::textMuted), {left, y, right - left, 18}, node.lines.join(QStringLiteral(" · ")));
    if (node.load >= 0) {
        const QRectF track(node.box.left() + kPad, node.box.bottom() - 6, right - node.box.left() - kPad, 2);
        painter.fillRect(track, theme.color(Surface::hairline));
        painter.fillRect(QRectF(track.topLeft(), QSizeF(track.width() * std::min(1.0, node.load), 2)), theme.color(node.load >= 1 ? Tone::caution : Tone::info));
    }
    if (m_keyboard && hasFocus() && m_current == index) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.color(Surface::accent), 2));
        painter.drawRoundedRect(node.box.adjusted(1, 1, -1, -1), 4, 4);
    }
}

void TopologyView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const TopologyEdge& edge : m_topology.edges)
        if (!isLit(edge)) paintEdge(painter, edge);
    for (const TopologyEdge& edge : m_topology.edges)
        if (isLit(edge)) paintEdge(painter, edge);
    for (const TopologyEdge& edge : m_topology.edges) paintLabel(painter, edge);
    for (std::size_t i = 0; i < m_topology.nodes.size(); ++i) paintNode(painter, i);
}

std::optional<std::size_t> TopologyView::nodeAt(const QPointF& position) const {
    for (std::size_t i = 0; i < m_topology.nodes.size(); ++i)
        if (m_topology.nodes[i].box.contains(position)) return i;
    return std::nullopt;
}

void TopologyView::moveTo(std::optional<std::size_t> node) {
    if (node == m_current) return;
    m_current = node;
    if (node) {
        setAccessibleDescription(m_topology.nodes[*node].sentence);
        QAccessibleEvent event(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&event);
    }
    update();
}

void TopologyView::mouseMoveEvent(QMouseEvent* event) {
    const auto node = nodeAt(event->position());
    if (node == m_hovered) return;
    m_hovered = node;
    setCursor(node ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (node) QToolTip::showText(event->globalPosition().toPoint(), plainTip(m_topology.nodes[*node].sentence), this);
    else QToolTip::hideText();
    update();
}

void TopologyView::mousePressEvent(QMouseEvent* event) {
    const auto node = nodeAt(event->position());
    if (event->button() != Qt::LeftButton || !node) return;
    m_keyboard = false;
    moveTo(node);
    Q_EMIT opened(static_cast<int>(*node));
}

void TopologyView::leaveEvent(QEvent*) {
    m_hovered.reset();
    update();
}

void TopologyView::keyPressEvent(QKeyEvent* event) {
    m_keyboard = true;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (m_topology.nodes.empty()) return;
        if (!m_current) moveTo(0);
        else if (const auto next = neighbour(m_topology, *m_current, static_cast<Qt::Key>(event->key()))) moveTo(next);
        return update();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current) Q_EMIT opened(static_cast<int>(*m_current));
        return;
    default: QWidget::keyPressEvent(event);
    }
}

void TopologyView::focusInEvent(QFocusEvent* event) {
    m_keyboard = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason || event->reason() == Qt::ShortcutFocusReason;
    if (m_keyboard && !m_current && !m_topology.nodes.empty()) moveTo(0);
    update();
}

void TopologyView::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace signalbox::ui
