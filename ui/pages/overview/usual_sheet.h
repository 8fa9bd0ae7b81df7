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
    /// Goes to the endpoint of that id.
    using ShowEndpoint = std::function<void(const QString& endpointId)>;
    UsualSheet(UsualTopic topic, const evidence::UsualReport& report, ShowRequests showRequests, ShowEndpoint showEndpoint, QWidget* parent = nullptr);
    [[nodiscard]] UsualTopic topic() const { return m_topic; }
    void show(const evidence::UsualReport& report);
    /// History cannot be read now: the numbers stay as they were read last, and say so.
    void showFailure(const QString& why);

private:
    /// A button each, in the order of the figures.
    struct Links {
        QLabel* none = nullptr;
        QVBoxLayout* buttons = nullptr;
        std::vector<std::string> names;
        QString key;  ///< what their objectNames begin with
        std::function<void(const std::string& name)> follow;
    };
    void addLinks(Links& links, const QString& heading);
    /// The names in their order, by button; those that were there keep theirs while they are in use.
    void arrange(Links& links, const std::vector<UsualPart>& parts);
    void showTeams(const std::vector<UsualPart>& teams);
    void showEndpoints(const std::vector<UsualPart>& endpoints);

    UsualTopic m_topic;
    ShowRequests m_showRequests;
    ShowEndpoint m_showEndpoint;
    ToneText* m_verdict;
    QLabel* m_note;
    LiveFacts* m_weeks;
    Links m_teams, m_endpoints;
};
[[nodiscard]] UsualSheet* makeUsualSheet(UsualTopic topic, const evidence::UsualReport& report, UsualSheet::ShowRequests showRequests,
                                         UsualSheet::ShowEndpoint showEndpoint);

/// The decisions that a figure is about; empty where it is about all.
[[nodiscard]] QVariantMap usualFilter(UsualTopic topic, const std::string& endpoint);

}  // namespace signalbox::ui
