// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/simulator/simulation.h"

#include <QWidget>

#include <array>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;

namespace signalbox::ui {

class Section;

/// What is supposed of the draft and of its candidates. Shows what holds in the last answer; what the user moves becomes a
/// supposition until it is reset. Nothing here changes a file or a gateway.
class WhatIfPanel : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfPanel(QWidget* parent = nullptr);
    ~WhatIfPanel() override;

    /// Brings every control that is not supposed in step with an answer.
    void present(const Simulated& answer);
    /// What the running gateway measured is that of `gateway` elsewhere, or of the console's own (empty); `whyNot` says in a
    /// sentence why there is nothing.
    void setMeasured(const QString& gateway, const QString& whyNot);
    void chooseCandidate(int index);
    void reset();

    [[nodiscard]] const WhatIf& whatIf() const { return m_whatIf; }
    [[nodiscard]] bool usesMeasured() const;

Q_SIGNALS:
    void changed();

private:
    QWidget* makePolicyRows();
    QWidget* makeWeightRows();
    QWidget* makeCandidateRows();
    void connectControls();
    void showPolicy(const Simulated& answer);
    void showCandidate();
    void supposeWeights();
    void supposeCandidate(const std::function<void(CandidateWhatIf&)>& change);
    void tell();

    /// A candidate as the last answer judged it.
    struct Known {
        std::string endpointId;
        double latencyHintMs = 0;
        policy::smart::CandidateSignals now;
    };

    WhatIf m_whatIf;
    std::vector<Known> m_known;
    bool m_filling = false;
    Section* m_weightsSection = nullptr;
    Section* m_candidateSection = nullptr;
    QComboBox* m_mode;
    QSlider* m_percent;
    QLabel* m_percentText;
    std::array<QSlider*, 4> m_weights{};
    std::array<QLabel*, 4> m_weightTexts{};
    QComboBox* m_candidate;
    QComboBox* m_health;
    QCheckBox* m_cooling;
    QSpinBox* m_hint;
    QSpinBox* m_attempts;
    QSpinBox* m_successes;
    QSpinBox* m_average;
    QPushButton* m_reset;
    QLabel* m_note;
};

}  // namespace signalbox::ui
