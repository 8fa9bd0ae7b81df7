// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <QWidget>

namespace signalbox::ui {

/// The shares of a pool's candidates end to end, and where the draw falls.
class DrawBar : public QWidget {
    Q_OBJECT
public:
    explicit DrawBar(QWidget* parent = nullptr);
    void set(const evidence::RecordedPool& pool, double u);

    [[nodiscard]] QSize sizeHint() const override { return {240, 26}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 26}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    evidence::RecordedPool m_pool;
    double m_u = 0.5;
};

}  // namespace signalbox::ui
