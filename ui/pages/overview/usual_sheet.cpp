// SPDX-License-Identifier: MIT
#include "ui/pages/overview/usual_sheet.h"

#include "router/base/text.h"
#include "ui/charts/time_series.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/live_facts.h"
#include "ui/widgets/tone_text.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

static constexpr std::size_t kLongTeamName = 24;  // bytes: beside its figures there is no more room

namespace {

struct UsualSheetWords {
    Q_DECLARE_TR_FUNCTIONS(UsualSheet)
};

/// With the number of requests behind it, in the words of the figure.
QString reading(UsualTopic topic, const std::optional<UsualReading>& reading) {
    if (!reading) return UsualSheetWords::tr("nothing measured");
    const QString value = usualValue(topic, reading->value), sample = format::count(reading->sample);
    switch (topic) {
    case UsualTopic::traffic: return UsualSheetWords::tr("%1 a minute, %2 in all").arg(value, sample);
    case UsualTopic::speed: return UsualSheetWords::tr("%1 tokens/s, of %2 answers").arg(value, sample);
    case UsualTopic::firstToken: return UsualSheetWords::tr("%1, of %2 answers").arg(value, sample);
    case UsualTopic::errors:
    case UsualTopic::disagreement:
    case UsualTopic::gaps: break;
    }
    return UsualSheetWords::tr("%1 of %2").arg(value, sample);
}

/// What the numbers are, where their name does not say it.
QString note(UsualTopic topic, const evidence::UsualReport& report) {
    QString text;
    switch (topic) {
    case UsualTopic::traffic: text = UsualSheetWords::tr("Requests of the range, divided by its minutes."); break;
    case UsualTopic::errors: text = UsualSheetWords::tr("Requests that failed; of endpoints: calls that failed, whoever answered in the end."); break;
    case UsualTopic::firstToken: text = UsualSheetWords::tr("95 of 100 requests had their first content by then; the error is at most 2 %."); break;
    case UsualTopic::speed: text = UsualSheetWords::tr("Of answers that came as a stream, after their first content."); break;
    case UsualTopic::disagreement: text = UsualSheetWords::tr("Decisions in shadow and in the control part of a canary whose best score was another one."); break;
    case UsualTopic::gaps: text = UsualSheetWords::tr("Requests in cells that the table declares as not measured."); break;
    }
    if (report.sampled >= evidence::UsualReport::kSample)
        text += QLatin1Char(' ') + UsualSheetWords::tr("Teams are told by the newest %1 requests.").arg(format::count(report.sampled));
    return text;
}

}  // namespace

QVariantMap usualFilter(UsualTopic topic, const std::string& endpoint) {
    QVariantMap filter;
    if (topic == UsualTopic::errors) filter.insert(QStringLiteral("outcome"), QStringLiteral("failed"));
    if (topic == UsualTopic::gaps) filter.insert(QStringLiteral("coverage"), QStringLiteral("gap"));
    if (topic == UsualTopic::disagreement) filter.insert(QStringLiteral("differs"), true);
    // A call that failed is no answer: those requests are found by who was tried.
    if (!endpoint.empty()) filter.insert(topic == UsualTopic::errors ? QStringLiteral("attempted") : QStringLiteral("endpoint"), format::text(endpoint));
    return filter;
}

UsualSheet::UsualSheet(UsualTopic topic, const evidence::UsualReport& report, ShowRequests showRequests, QWidget* parent)
    : QWidget(parent), m_topic(topic), m_showRequests(std::move(showRequests)), m_verdict(new ToneText), m_note(makeMuted({})),
      m_weeks(new LiveFacts), m_teams(new QVBoxLayout), m_endpoints(new LiveFacts) {
    auto* sheet = new QVBoxLayout(this);
    sheet->setContentsMargins(0, 0, 0, 0);
    sheet->setSpacing(Theme::kGapWide);
    sheet->addWidget(m_verdict);
    sheet->addWidget(m_note);
    sheet->addWidget(m_weeks);
    m_noTeams = addHeading(tr("Teams"));
    m_teams->setSpacing(2);
    sheet->addLayout(m_teams);
    m_noEndpoints = addHeading(tr("Endpoints"));
    sheet->addWidget(m_endpoints);
    auto* button = makeButton(tr("Show these requests"), QStringLiteral("history"));
    connect(button, &QPushButton::clicked, this, [this] { m_showRequests(usualFilter(m_topic, {})); });
    sheet->addWidget(button);
    show(report);
}

/// With what stands below it where there is nothing to list.
QLabel* UsualSheet::addHeading(const QString& heading) {
    auto* none = makeMuted(tr("None with enough requests to be told from chance."));
    for (QWidget* one : QList<QWidget*>{makeHairline(), makeHeading(heading), none}) layout()->addWidget(one);
    return none;
}

static bool isInUse(const QLayout* buttons) {
    for (int i = 0; i < buttons->count(); ++i)
        if (const QWidget* button = buttons->itemAt(i)->widget(); button != nullptr && (button->underMouse() || button->hasFocus())) return true;
    return false;
}

void UsualSheet::showTeams(const std::vector<UsualPart>& teams) {
    std::vector<std::string> names;
    for (const UsualPart& team : teams) names.push_back(team.name);
    m_noTeams->setVisible(names.empty());
    // While somebody points at one or has the focus there, the order stays: a click is for the team that was read.
    if (isInUse(m_teams) && std::is_permutation(names.begin(), names.end(), m_teamNames.begin(), m_teamNames.end())) names = m_teamNames;
    if (names != m_teamNames) {
        m_teamNames = std::move(names);
        clearLayout(m_teams);
        for (const std::string& name : m_teamNames) {
            auto* button = makeButton({}, QStringLiteral("chevron-right"), ButtonRole::quiet);
            button->setObjectName(QStringLiteral("team.") + format::text(name));  // by which the focus finds its successor
            button->setProperty("data", true);  // a name and its figures
            connect(button, &QPushButton::clicked, this, [this, name] {
                QVariantMap filter = usualFilter(m_topic, {});
                filter.insert(QStringLiteral("team"), format::text(name));
                m_showRequests(filter);
            });
            m_teams->addWidget(button, 0, Qt::AlignLeft);
        }
    }
    for (std::size_t i = 0; i < m_teamNames.size(); ++i) {
        const std::string& team = m_teamNames[i];
        const auto part = std::find_if(teams.begin(), teams.end(), [&team](const UsualPart& one) { return one.name == team; });
        const QString figures = reading(m_topic, part->reading), name = team.empty() ? tr("no team") : format::text(team);
        const QString shown = tr("%1: %2").arg(team.empty() ? name : format::text(elided(team, kLongTeamName)), figures);
        auto* button = static_cast<QPushButton*>(m_teams->itemAt(static_cast<int>(i))->widget());
        button->setText(QString(shown).replace(QLatin1Char('&'), QStringLiteral("&&")));
        button->setAccessibleName(tr("%1: %2").arg(name, figures));
        button->setToolTip(plainTip(tr("Show the requests of %1").arg(name)));
    }
}

void UsualSheet::showEndpoints(const std::vector<UsualPart>& endpoints) {
    std::vector<LiveFact> facts;
    for (const UsualPart& endpoint : endpoints) facts.push_back({format::text(endpoint.name), reading(m_topic, endpoint.reading)});
    m_endpoints->set(facts);
    m_endpoints->setVisible(!facts.empty());
    m_noEndpoints->setVisible(facts.empty());
}

void UsualSheet::show(const evidence::UsualReport& report) {
    const UsualText text = usualText(m_topic, report);
    const QString value = m_topic == UsualTopic::traffic ? tr("%1 a minute").arg(text.value) : text.value;
    m_verdict->set(text.tone, tr("%1: %2").arg(value, text.usual));
    m_note->setText(note(m_topic, report));
    std::vector<LiveFact> weeks;
    const auto add = [this, &weeks](const QString& name, const evidence::TrafficWindow& week) {
        weeks.push_back({name, reading(m_topic, usualReading(m_topic, week)), std::nullopt, false, rangeText(week.range)});
    };
    add(tr("Now"), report.now);
    for (std::size_t i = 0; i < report.before.size(); ++i)
        add(i == 0 ? tr("A week ago") : tr("%n week(s) ago", nullptr, static_cast<int>(i + 1)), report.before[i]);
    m_weeks->set(weeks);
    showTeams(rankUsual(m_topic, report.teams, report.now.range));
    showEndpoints(rankUsual(m_topic, report.endpoints, report.now.range));
}

UsualSheet* makeUsualSheet(UsualTopic topic, const evidence::UsualReport& report, UsualSheet::ShowRequests showRequests) {
    return new UsualSheet(topic, report, std::move(showRequests));
}

void UsualSheet::showFailure(const QString& why) { m_verdict->set(Tone::caution, tr("Not followed now: %1").arg(why)); }

}  // namespace signalbox::ui
