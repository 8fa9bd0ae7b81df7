// SPDX-License-Identifier: MIT
#pragma once

#include "router/dispatch/pool_view.h"

#include <QWidget>

namespace signalbox::ui {

/// What RouteWise weighs, drawn: each candidate by its cost and its time to the first token, the budget as a line, and
/// the mix that is drawn from. What it shows is also its accessible description.
class MixPlot : public QWidget {
    Q_OBJECT
public:
    explicit MixPlot(QWidget* parent = nullptr);
    void set(const dispatch::PoolView& pool);

    /// Places on the plot, for tests and for hover.
    [[nodiscard]] std::optional<QPointF> pointOf(const std::string& endpointId) const;
    [[nodiscard]] double budgetY() const;

    [[nodiscard]] QSize sizeHint() const override { return {280, 190}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 170}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] QPointF at(double ms, double usd) const;
    [[nodiscard]] QString sentenceOf(const dispatch::PoolMemberView& member) const;
    void paintAxes(QPainter& painter) const;
    void paintBudget(QPainter& painter) const;
    void paintMix(QPainter& painter) const;
    void paintPoints(QPainter& painter) const;
    void describe();

    std::vector<dispatch::PoolMemberView> m_points;  ///< with a cost and a time
    dispatch::MixView m_mix;
    double m_mostMs = 1, m_mostUsd = 1, m_stepMs = 1, m_stepUsd = 1;
};

}  // namespace signalbox::ui
