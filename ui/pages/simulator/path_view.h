// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/simulator/path.h"

#include <QWidget>

class QVBoxLayout;

namespace signalbox::ui {

/// The way of a request from top to bottom like a track: a filled signal where it was taken, a hollow one and dim words
/// where it was not, with the reason.
class PathView : public QWidget {
    Q_OBJECT
public:
    explicit PathView(QWidget* parent = nullptr);
    /// Cheap when nothing changed, so it may follow a slider.
    void setStages(const std::vector<PathStage>& stages);
    [[nodiscard]] const std::vector<PathStage>& stages() const { return m_stages; }

private:
    std::vector<PathStage> m_stages;
    QVBoxLayout* m_layout;
};

}  // namespace signalbox::ui
