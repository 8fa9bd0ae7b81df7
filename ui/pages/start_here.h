// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>
#include <QStringList>

#include <array>

namespace signalbox::ui {

class Bridge;
class PolicyDocument;
class Settings;

/// The first steps of somebody who has never seen the console, and which of them were taken, by whatever way. Nobody has to
/// follow them: the Overview shows a card of them until it is put away.
class StartHere : public QObject {
    Q_OBJECT
public:
    enum class Step { serving, receipt, change, request };
    static constexpr std::array kSteps{Step::serving, Step::receipt, Step::change, Step::request};

    /// All outlive this. What is remembered stands in the settings.
    StartHere(Settings* settings, Bridge* bridge, PolicyDocument* document, QObject* parent = nullptr);

    [[nodiscard]] bool isShown() const { return m_shown; }
    void setShown(bool shown);
    [[nodiscard]] bool isDone(Step step) const;
    [[nodiscard]] int doneCount() const;
    /// Of the draft, against what was read or saved last. To fork a table or to change a price is none.
    [[nodiscard]] bool hasChangedRule() const;
    /// "serving", as it stands in the settings.
    [[nodiscard]] static QString nameOf(Step step);

    /// What the window knows of: a page is shown, or something stands in the inspector.
    void seePage(const QString& pageId);
    void seeInspected(const QWidget* content);

Q_SIGNALS:
    void changed();

private:
    void take(Step step);

    Settings* m_settings;
    PolicyDocument* m_document;
    QStringList m_done;
    bool m_shown = false;
};

}  // namespace signalbox::ui
