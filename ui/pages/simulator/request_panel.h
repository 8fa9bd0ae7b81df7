// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/simulator/asked_request.h"

#include "router/policy/smart/profile.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QSpinBox;
class QStackedWidget;
class QTabBar;

namespace signalbox::ui {

class FieldMessage;

/// The left column: what the request is (built by form, pasted, or taken from history without content) and who sends it.
class RequestPanel : public QWidget {
    Q_OBJECT
public:
    enum class Source { form, body, history };
    explicit RequestPanel(QWidget* parent = nullptr);
    ~RequestPanel() override;

    /// Names to choose among; `first` is taken while nothing was typed.
    void setModels(const QStringList& models, const QString& first);
    void setPrincipals(const QStringList& ids);
    /// Decisions to choose among, newest first.
    void setRecent(const std::vector<RecordPtr>& records);
    /// The decision whose features are asked about; `problem` says why there is none.
    void setRecord(RecordPtr record, const QString& problem = {});
    /// Shown below the body; empty hides it.
    void setBodyProblem(const QString& problem);
    void setSource(Source source);
    void setModel(const QString& model);
    void setBody(const QString& body);
    void setProfile(const QString& word);

    [[nodiscard]] Source source() const;
    [[nodiscard]] FormFields fields() const;
    [[nodiscard]] std::string body() const;
    /// Of the pasted body: which of the gateway's two APIs it is written for.
    [[nodiscard]] classify::Dialect dialect() const;
    [[nodiscard]] std::optional<std::uint32_t> inFlight() const;
    [[nodiscard]] const RecordPtr& record() const { return m_record; }
    [[nodiscard]] std::optional<policy::smart::Profile> profile() const;
    [[nodiscard]] std::string principal() const;
    [[nodiscard]] std::string session() const;
    [[nodiscard]] std::string requestId() const;

Q_SIGNALS:
    void changed();
    /// The user wants this decision's features.
    void decisionWanted(const QString& id);

private:
    QWidget* makeForm();
    QWidget* makeBody();
    QWidget* makeHistory();
    QWidget* makeSender();
    void showKind();

    QTabBar* m_tabs;
    QStackedWidget* m_sources;
    QComboBox* m_model;
    QComboBox* m_kind;
    QSpinBox* m_cap;
    QComboBox* m_length;
    QSpinBox* m_tools;
    QCheckBox* m_parallel;
    QCheckBox* m_vision;
    QSpinBox* m_input;
    QSpinBox* m_inFlight;
    QLabel* m_kindNote;
    QComboBox* m_dialect;
    QPlainTextEdit* m_body;
    FieldMessage* m_bodyProblem;
    QLineEdit* m_decision;
    QComboBox* m_recent;
    QLabel* m_recorded;
    QComboBox* m_profile;
    QComboBox* m_principal;
    QLineEdit* m_session;
    QLineEdit* m_requestId;
    RecordPtr m_record;
};

}  // namespace signalbox::ui
