// SPDX-License-Identifier: MIT
#pragma once

#include <QFormLayout>

namespace signalbox::ui {

/// A QFormLayout whose rows are those of the width that it is given. Qt's keeps the heights of two widths, its preferred one
/// and another, but the rows only of the one that was asked for last, and takes these for either: in a scroll area, which asks
/// with and without its bar, wrapped texts were cut off until something else changed (seen in Qt 6.4).
class FormLayout : public QFormLayout {
public:
    using QFormLayout::QFormLayout;

    void invalidate() override {
        m_asked = -1;
        m_askedForOthers = false;
        QFormLayout::invalidate();
    }
    [[nodiscard]] int heightForWidth(int width) const override {
        m_askedForOthers = m_askedForOthers || (m_asked >= 0 && m_asked != width);
        m_asked = width;
        return QFormLayout::heightForWidth(width);
    }
    void setGeometry(const QRect& rect) override {
        // Ends: nobody asks between this and the next time, when the request that it makes is followed.
        if (m_askedForOthers && rect != geometry()) invalidate();
        QFormLayout::setGeometry(rect);
    }

private:
    mutable int m_asked = -1;  ///< width since the last change
    mutable bool m_askedForOthers = false;
};

}  // namespace signalbox::ui
