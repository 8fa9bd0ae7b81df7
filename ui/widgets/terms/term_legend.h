// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/profile.h"

#include <QWidget>

namespace signalbox::ui {

/// What colour, pattern and letter of a term mean, with the weights that the decision used. Wraps where it is narrow.
class TermLegend : public QWidget {
    Q_OBJECT
public:
    explicit TermLegend(QWidget* parent = nullptr);
    void setWeights(const policy::smart::Weights& weights);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString text(std::size_t term) const;
    /// Left top of each entry, and the height of all.
    [[nodiscard]] std::pair<std::vector<QPoint>, int> placed(int width) const;

    policy::smart::Weights m_weights;
};

}  // namespace signalbox::ui
