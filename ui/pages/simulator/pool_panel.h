// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/fleet.h"

#include <QWidget>

class QLabel;
class QSlider;

namespace signalbox::ui {

class DrawBar;
class LiveFacts;
class Section;
class ToneText;

/// What the router of a pool would choose for the request in the form: asked of the running gateway, by the functions
/// that choose for real. Nothing is taken and nothing counts as traffic (F74).
class PoolPanel : public QWidget {
    Q_OBJECT
public:
    explicit PoolPanel(Fleet* fleet, QWidget* parent = nullptr);

    /// `u` of the question comes from the slider.
    void ask(const std::string& poolId, dispatch::PoolQuestion question);
    /// The request reaches a pool, and there is no gateway that could be asked; `why` says so and what to do, in a sentence.
    void sayNobodyToAsk(const std::string& poolId, const QString& why);
    /// The gateway elsewhere that is asked; empty: the console's own.
    void setGateway(const QString& name);
    /// The request reaches no pool.
    void clear();
    [[nodiscard]] QSlider* draw() const { return m_draw; }

Q_SIGNALS:
    /// A forecast, or why there is none, is on the screen.
    void answered();

private:
    void forecast();
    void present(const Result<dispatch::PoolForecast>& answer);
    void presentChoice(const dispatch::PoolForecast& forecast);
    void showParts(bool answered);

    Fleet* m_fleet;
    std::string m_pool;
    dispatch::PoolQuestion m_question;
    Section* m_section;
    ToneText* m_verdict;
    QWidget* m_drawRow;
    QSlider* m_draw;
    QLabel* m_u;
    DrawBar* m_bar;
    LiveFacts* m_facts;
    Section* m_hedgeSection;
    LiveFacts* m_hedge;
};

}  // namespace signalbox::ui
