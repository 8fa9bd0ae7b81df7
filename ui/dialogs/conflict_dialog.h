// SPDX-License-Identifier: MIT
#pragma once

#include "ui/dialogs/three_way.h"

#include <QDialog>

class QLabel;
class QPlainTextEdit;

namespace signalbox::ui {

/// A file that somebody else changed while we did too: what both began with, theirs and ours side by side, and the ways
/// out. Closing it changes nothing.
class ConflictDialog : public QDialog {
    Q_OBJECT
public:
    /// A null `theirs` means that the file was removed.
    ConflictDialog(const QString& file, const QString& base, const QString& theirs, const QString& ours, QWidget* parent = nullptr);

Q_SIGNALS:
    void takeTheirs();
    void writeOurs();
    void saveCopy();

private:
    enum Side { baseSide, theirSide, ourSide, sideCount };
    void fill(const std::vector<ThreeWayRow>& rows);
    void keepTogether();
    void goToDifference(int step);
    QPlainTextEdit* addSide(Side side, const QString& title, const QString& note, QLayout* columns);
    QWidget* makeButtons(bool removed);

    QPlainTextEdit* m_sides[sideCount] = {};
    QLabel* m_counter;
    std::vector<int> m_differences;  ///< first rows of them
    int m_at = -1;
    bool m_scrolling = false;
};

}  // namespace signalbox::ui
