// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/overview/usual.h"

#include <QVariantMap>
#include <QWidget>

#include <functional>

class QLabel;
class QVBoxLayout;

namespace signalbox::ui {

class LiveFacts;
class ToneText;

/// One watched figure in full, for the inspector: now, each week before, and every team and endpoint with its sample.
/// Follows the figure: values change in place, so that neither focus nor selection is lost.
class UsualSheet : public QWidget {
    Q_OBJECT
public:
    /// Goes to history with its filter.
    using ShowRequests = std::function<void(const QVariantMap& filter)>;
    UsualSheet(UsualTopic topic, const evidence::UsualReport& report, ShowRequests showRequests, QWidget* parent = nullptr);
    [[nodiscard]] UsualTopic topic() const { return m_topic; }
    void show(const evidence::UsualReport& report);
    /// History cannot be read now: the numbers stay as they were read last, and say so.
    void showFailure(const QString& why);

private:
    [[nodiscard]] QLabel* addHeading(const QString& heading);
    void showTeams(const std::vector<UsualPart>& teams);
    void showEndpoints(const std::vector<UsualPart>& endpoints);

    UsualTopic m_topic;
    ShowRequests m_showRequests;
    ToneText* m_verdict;
    QLabel* m_note;
    LiveFacts* m_weeks;
    QLabel* m_noTeams = nullptr;
    QVBoxLayout* m_teams;  ///< a button each, which leads to its requests
    std::vector<std::string> m_teamNames;
    QLabel* m_noEndpoints = nullptr;
    LiveFacts* m_endpoints;
};
[[nodiscard]] UsualSheet* makeUsualSheet(UsualTopic topic, const evidence::UsualReport& report, UsualSheet::ShowRequests showRequests);

/// The decisions that a figure is about; empty where it is about all.
[[nodiscard]] QVariantMap usualFilter(UsualTopic topic, const std::string& endpoint);

}  // namespace signalbox::ui
