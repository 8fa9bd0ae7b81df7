// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/terms/term_row.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace signalbox::ui {

class TermBar;
class TermLegend;

/// A whole decision: a bar for each candidate in configured order, all on one scale, with what was tried first and what
/// has the best score marked, and a legend with the weights. One tab stop; up and down move between the candidates.
/// Setting a decision again is cheap, so it may follow a slider.
class TermChart : public QWidget {
    Q_OBJECT
public:
    explicit TermChart(QWidget* parent = nullptr);

    void setDecision(TermDecision decision);
    [[nodiscard]] const TermDecision& decision() const { return m_decision; }
    /// Marks a row; -1 marks none.
    void setCurrent(int row);
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] TermBar* bar(int row) const { return m_bars[static_cast<std::size_t>(row)]; }
    void setLegendShown(bool shown);

Q_SIGNALS:
    /// A candidate was clicked, or Enter pressed on it.
    void rowChosen(int row);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void shareNameWidth();
    void move(int from, int by);
    void setTabStop(int row);

    TermDecision m_decision;
    std::vector<TermBar*> m_bars;  ///< as many as the largest decision had; those beyond the present one are hidden
    int m_current = -1;
    QVBoxLayout* m_rows;
    TermLegend* m_legend;
    QLabel* m_note;
};

}  // namespace signalbox::ui
