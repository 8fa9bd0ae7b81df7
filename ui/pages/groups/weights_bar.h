// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/profile.h"

#include <QWidget>

namespace signalbox::ui {

/// The four shares of a score as one bar that is always full: quality, cost, latency, reliability, with their whole
/// percents, which total 100 (F66).
class WeightsBar : public QWidget {
    Q_OBJECT
public:
    explicit WeightsBar(QWidget* parent = nullptr);
    void setWeights(const policy::smart::Weights& weights);
    [[nodiscard]] const policy::smart::Weights& weights() const { return m_weights; }

    [[nodiscard]] QSize sizeHint() const override { return {320, 46}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 46}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    policy::smart::Weights m_weights;
};

/// "quality", "cost", "latency", "reliability".
[[nodiscard]] QString termName(std::size_t term);

}  // namespace signalbox::ui
