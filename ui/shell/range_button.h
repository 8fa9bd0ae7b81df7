// SPDX-License-Identifier: MIT
#pragma once

#include <QToolButton>

namespace signalbox::ui {

class ViewState;

/// The one time range of all pages: live spans that follow, or a fixed range that a chart set.
class RangeButton : public QToolButton {
    Q_OBJECT
public:
    explicit RangeButton(ViewState* view, QWidget* parent = nullptr);

private:
    void render();
    ViewState* m_view;
};

}  // namespace signalbox::ui
