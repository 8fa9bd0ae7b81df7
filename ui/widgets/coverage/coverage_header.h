// SPDX-License-Identifier: MIT
#pragma once

#include <QHeaderView>

namespace signalbox::ui {

/// Column header in two levels: the length words, and above them which half counts one stream and which many.
class CoverageHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit CoverageHeader(QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace signalbox::ui
