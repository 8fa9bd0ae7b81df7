// SPDX-License-Identifier: MIT
#pragma once

#include <QToolButton>

namespace signalbox::ui {

class ViewState;

/// The one time range of all pages: live spans that follow, or a fixed range that a chart set. Where only a part of the page
/// follows it, it begins with that part's name.
class RangeButton : public QToolButton {
    Q_OBJECT
public:
    explicit RangeButton(ViewState* view, QWidget* parent = nullptr);
    /// Empty: the whole page follows the range.
    void setPart(const QString& part);

private:
    void render();
    ViewState* m_view;
    QString m_part;
};

}  // namespace signalbox::ui
