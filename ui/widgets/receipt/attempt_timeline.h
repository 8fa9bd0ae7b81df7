// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <QWidget>

#include <vector>

namespace signalbox::ui {

/// The attempts of one request on a time line to scale: a bar each, hollow until the first content, filled after it,
/// with the whole request's time as axis in milliseconds. What it shows is also its accessible description.
class AttemptTimeline : public QWidget {
    Q_OBJECT
public:
    explicit AttemptTimeline(QWidget* parent = nullptr);
    void setAttempts(std::vector<evidence::Attempt> attempts, double totalMs);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintBar(class QPainter& painter, const evidence::Attempt& attempt, const QRectF& lane) const;
    [[nodiscard]] double xOf(double ms) const;

    std::vector<evidence::Attempt> m_attempts;
    double m_totalMs = 0;
};

}  // namespace signalbox::ui
