// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <memory>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace signalbox::engine {
struct TryEnd;
struct TryHead;
}  // namespace signalbox::engine

namespace signalbox::ui {

class ToneText;
class TryRun;

/// Sends one real request through the running gateway and shows the answer as it comes, what was decided, and what it
/// took. It is traffic like any other: counted, limited and recorded.
class TryPanel : public QWidget {
    Q_OBJECT
public:
    explicit TryPanel(const PageContext& context, QWidget* parent = nullptr);
    ~TryPanel() override;

    /// Chooses what the request asks for, and brings the prompt to the keys.
    void begin(const QString& model);
    [[nodiscard]] bool isRunning() const { return m_run != nullptr; }

Q_SIGNALS:
    /// The receipt of this decision is wanted.
    void receiptWanted(const QString& decisionId);

private:
    void makeControls();
    void makeLayout();
    void fillModels();
    void refresh();
    void send();
    void clearAnswer();
    void startOver();
    void takeHead(const engine::TryHead& head);
    void takeText(const QString& text);
    void takeEnd(const engine::TryEnd& end);

    PageContext m_context;
    QComboBox* m_model;
    QLineEdit* m_pin;
    QSpinBox* m_cap;
    QCheckBox* m_streaming;
    QPlainTextEdit* m_prompt;
    QPushButton* m_send;
    QPushButton* m_cancel;
    QPlainTextEdit* m_answer;
    ToneText* m_state;
    ToneText* m_decision;
    QPushButton* m_receipt;
    QString m_decisionId;
    bool m_untried = true;
    std::unique_ptr<TryRun> m_run;
};

}  // namespace signalbox::ui
