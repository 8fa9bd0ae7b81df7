// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/groups/redecide.h"

#include <QWidget>

class QLabel;

namespace signalbox::ui {

class TermChart;

/// What the draft would do with this group's last requests, and how it would score the newest of them.
class PreviewPanel : public QWidget {
    Q_OBJECT
public:
    explicit PreviewPanel(QWidget* parent = nullptr);
    void set(const DraftGroup& draft, std::span<const RecordPtr> records);
    [[nodiscard]] QString sentence() const;

Q_SIGNALS:
    /// The requests of one move were asked for: the recommendation of the record.
    void rowChosen(const QString& endpointId);

private:
    void showMoves(const Redecided& again);
    void showPlan(const DraftGroup& draft, std::span<const RecordPtr> records);

    QLabel* m_sentence;
    QLabel* m_moves;
    QLabel* m_caption;
    TermChart* m_chart;
};

/// "Of the last 200 requests 36 (18.0 % of 200) would get another recommendation …"
[[nodiscard]] QString previewSentence(const Redecided& again);

}  // namespace signalbox::ui
