// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/simulator/simulation.h"

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace signalbox::ui {

class ElidedLabel;
class FactList;
class Section;
class TermChart;
class ToneLabel;

/// The right column: where the request goes, under the draft and under the running policy, what each candidate scored,
/// why the others lose, the smallest change that turns it, and what other profiles would choose.
class ResultPanel : public QWidget {
    Q_OBJECT
public:
    explicit ResultPanel(QWidget* parent = nullptr);

    /// `running` is null when nothing runs or when it is the draft itself; `supposed` says that the draft is not as it is.
    void present(const AskedRequest& asked, const Simulated& draft, const Simulated* running, bool supposed);
    /// What was recorded when this decision was made; null hides it.
    void showRecorded(const RecordPtr& record, const WorkspacePtr& workspace);
    /// The answer as it can be read aloud.
    [[nodiscard]] QString text() const { return m_text; }

Q_SIGNALS:
    void candidateChosen(int index);
    void copied();

private:
    void showVerdicts(const Simulated& draft, const Simulated* running, bool supposed);
    void showWhyNot(const Simulated& draft);
    void showProfiles(const Simulated& draft);

    Section* m_verdict;
    ElidedLabel* m_draftResult;
    ToneLabel* m_draftMode;
    QWidget* m_runningBox;
    ElidedLabel* m_runningResult;
    ToneLabel* m_runningMode;
    Section* m_scores;
    TermChart* m_terms;
    Section* m_change;
    QLabel* m_smallest;
    Section* m_why;
    QVBoxLayout* m_whyList;
    Section* m_profiles;
    FactList* m_profileFacts;
    Section* m_recorded;
    FactList* m_recordedFacts;
    QString m_text;
};

}  // namespace signalbox::ui
