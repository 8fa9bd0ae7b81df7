// SPDX-License-Identifier: MIT
#pragma once

#include <QWidget>

namespace signalbox::ui {

/// What the glyphs, fills and bars of the coverage matrix mean, in one wrapping line.
class CoverageLegend : public QWidget {
    Q_OBJECT
public:
    explicit CoverageLegend(QWidget* parent = nullptr);
};

}  // namespace signalbox::ui
