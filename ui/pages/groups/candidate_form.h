// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/groups/candidate_rows.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;

namespace signalbox::ui {

class FieldMessage;
class PolicyDocument;

/// One candidate to edit: every field is an undoable step of its own as soon as it is left, and what the validators
/// refuse stays in its field with their message under it. Also the place where a new candidate waits until it has an
/// endpoint that is accepted.
class CandidateForm : public QWidget {
    Q_OBJECT
public:
    explicit CandidateForm(PolicyDocument* document, QWidget* parent = nullptr);

    /// Fields that still hold what the row says are left alone, so that what is being typed stays.
    void setRow(const std::string& group, const CandidateRow& row);
    /// A candidate that is not in the group yet; `place` is where it goes.
    void beginNew(const std::string& group, std::size_t place, const config::Candidate& candidate);
    [[nodiscard]] bool isNew() const { return m_new; }
    void focusTarget();
    /// The hint becomes what was measured, as one undoable step.
    void takeMeasured();

Q_SIGNALS:
    void added(int index);
    void abandoned();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeFields();
    void connectFields();
    void addField(QGridLayout* grid, int row, int column, int span, const QString& name, QWidget* field);
    void showCandidate(const config::Candidate& candidate);
    [[nodiscard]] bool isPoolChosen() const;
    void fillModels();
    void showSources();
    void showMeasured();
    void acceptTarget();
    void writeQuality(double quality);
    void writeHint(int milliseconds);
    void clearMessages();

    PolicyDocument* m_document;
    std::string m_group;
    std::size_t m_index = 0;
    CandidateRow m_row;
    config::Candidate m_shown;
    bool m_new = false;
    bool m_filled = false;

    QComboBox* m_provider;
    QComboBox* m_model;
    QCheckBox* m_enabled;
    QSlider* m_slider;
    QDoubleSpinBox* m_quality;
    QSpinBox* m_hint;
    QPushButton* m_measured;
    QPushButton* m_add;
    QPushButton* m_cancel;
    QLabel* m_verdict;
    QLabel* m_price;
    FieldMessage* m_targetMessage;
    FieldMessage* m_enabledMessage;
    FieldMessage* m_qualityMessage;
    FieldMessage* m_hintMessage;
};

}  // namespace signalbox::ui
