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
#include <QHash>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace signalbox::ui {

static constexpr std::size_t kLongTeamName = 24;  // bytes: beside its figures there is no more room
static constexpr qsizetype kEndpointRoom = 24;       // characters, likewise

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

UsualSheet::UsualSheet(UsualTopic topic, const evidence::UsualReport& report, ShowRequests showRequests, ShowEndpoint showEndpoint, QWidget* parent)
    : QWidget(parent), m_topic(topic), m_showRequests(std::move(showRequests)), m_showEndpoint(std::move(showEndpoint)), m_verdict(new ToneText), m_note(makeMuted({})),
      m_weeks(new LiveFacts) {
    auto* sheet = new QVBoxLayout(this);
    sheet->setContentsMargins(0, 0, 0, 0);
    sheet->setSpacing(Theme::kGapWide);
    sheet->addWidget(m_verdict);
    sheet->addWidget(m_note);
    sheet->addWidget(m_weeks);
    m_teams.key = QStringLiteral("team.");
    m_teams.follow = [this](const std::string& name) {
        QVariantMap filter = usualFilter(m_topic, {});
        filter.insert(QStringLiteral("team"), format::text(name));
        m_showRequests(filter);
    };
    addLinks(m_teams, tr("Teams"));
    m_endpoints.key = QStringLiteral("endpoint.");
    m_endpoints.follow = [this](const std::string& name) { m_showEndpoint(format::text(name)); };
    addLinks(m_endpoints, tr("Endpoints"));
    auto* button = makeButton(tr("Show these requests"), QStringLiteral("history"));
    connect(button, &QPushButton::clicked, this, [this] { m_showRequests(usualFilter(m_topic, {})); });
    sheet->addWidget(button);
    show(report);
}

/// With what stands below the heading where there is nothing to list.
void UsualSheet::addLinks(Links& links, const QString& heading) {
    links.none = makeMuted(tr("None with enough requests to be told from chance."));
    for (QWidget* one : QList<QWidget*>{makeHairline(), makeHeading(heading), links.none}) layout()->addWidget(one);
    links.buttons = new QVBoxLayout;
    links.buttons->setSpacing(2);
    static_cast<QVBoxLayout*>(layout())->addLayout(links.buttons);
}

static bool isInUse(const QLayout* buttons) {
    for (int i = 0; i < buttons->count(); ++i)
        if (const QWidget* button = buttons->itemAt(i)->widget(); button != nullptr && (button->underMouse() || button->hasFocus())) return true;
    return false;
}

void UsualSheet::arrange(Links& links, const std::vector<UsualPart>& parts) {
    std::vector<std::string> names;
    for (const UsualPart& part : parts) names.push_back(part.name);
    links.none->setVisible(names.empty());
    // While somebody points at one or has the focus there, the order stays: a click is for the one that was read.
    if (isInUse(links.buttons) && std::is_permutation(names.begin(), names.end(), links.names.begin(), links.names.end())) return;
    if (names == links.names) return;
    links.names = std::move(names);
    clearLayout(links.buttons);
    for (const std::string& name : links.names) {
        auto* button = makeButton({}, QStringLiteral("chevron-right"), ButtonRole::quiet);
        button->setObjectName(links.key + format::text(name));  // by which the focus finds its successor
        button->setProperty("data", true);                      // a name and its figures
        connect(button, &QPushButton::clicked, this, [&links, name] { links.follow(name); });
        links.buttons->addWidget(button, 0, Qt::AlignLeft);
    }
}

/// `shown` is what there is room for of `name`.
static void setLink(QPushButton* button, const QString& shown, const QString& name, const QString& figures, const QString& tip) {
    button->setText(UsualSheetWords::tr("%1: %2").arg(shown, figures).replace(QLatin1Char('&'), QStringLiteral("&&")));
    button->setAccessibleName(UsualSheetWords::tr("%1: %2").arg(name, figures));
    button->setToolTip(plainTip(tip));
}

static QString cut(const QString& name, qsizetype head) {
    return name.size() <= kEndpointRoom ? name : name.left(head) + QChar(0x2026) + name.right(kEndpointRoom - 1 - head);
}

/// Whole, in lines that end where a part of the name does, unless that would leave half of the room.
static QString inLines(const QString& name) {
    QStringList lines;
    for (qsizetype at = 0; at < name.size(); at += lines.last().size()) {
        qsizetype length = std::min(kEndpointRoom, name.size() - at);
        for (qsizetype end = length; at + length < name.size() && end > kEndpointRoom / 2; --end) {
            if (!QStringLiteral(":/-_").contains(name[at + end - 1])) continue;
            length = end;
            break;
        }
        lines << name.mid(at, length);
    }
    return lines.join(QLatin1Char('\n'));
}

/// What there is room for of each name. Of an endpoint both its provider and the end of its model's name mostly tell it from
/// others; where they do not, it is cut elsewhere, and shown whole, in lines, where that does not help either.
static QStringList endpointsInBrief(const QStringList& names) {
    QStringList brief(names.size());
    for (const qsizetype head : {10, 13, 16, 19, 7, 4}) {
        QHash<QString, int> taken;
        for (const QString& name : names) ++taken[cut(name, head)];
        for (qsizetype i = 0; i < names.size(); ++i)
            if (const QString shown = cut(names[i], head); brief[i].isEmpty() && taken.value(shown) == 1) brief[i] = shown;
    }
    for (qsizetype i = 0; i < names.size(); ++i) {
        if (!brief[i].isEmpty()) continue;
        brief[i] = inLines(names[i]);
    }
    return brief;
}

static const UsualPart& partOf(const std::vector<UsualPart>& parts, const std::string& name) {
    return *std::find_if(parts.begin(), parts.end(), [&name](const UsualPart& one) { return one.name == name; });
}

void UsualSheet::showTeams(const std::vector<UsualPart>& teams) {
    arrange(m_teams, teams);
    for (std::size_t i = 0; i < m_teams.names.size(); ++i) {
        const std::string& team = m_teams.names[i];
        const QString name = team.empty() ? tr("no team") : format::text(team);
        auto* button = static_cast<QPushButton*>(m_teams.buttons->itemAt(static_cast<int>(i))->widget());
        setLink(button, team.empty() ? name : format::text(elided(team, kLongTeamName)), name, reading(m_topic, partOf(teams, team).reading), tr("Show the requests of %1").arg(name));
    }
}

void UsualSheet::showEndpoints(const std::vector<UsualPart>& endpoints) {
    arrange(m_endpoints, endpoints);
    QStringList names;
    for (const std::string& endpoint : m_endpoints.names) names << format::text(endpoint);
    const QStringList brief = endpointsInBrief(names);
    for (std::size_t i = 0; i < m_endpoints.names.size(); ++i) {
        const std::string& endpoint = m_endpoints.names[i];
        const QString& name = names[static_cast<qsizetype>(i)];
        auto* button = static_cast<QPushButton*>(m_endpoints.buttons->itemAt(static_cast<int>(i))->widget());
        setLink(button, brief[static_cast<qsizetype>(i)], name, reading(m_topic, partOf(endpoints, endpoint).reading), tr("Show %1 on the Endpoints page").arg(name));
    }
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

UsualSheet* makeUsualSheet(UsualTopic topic, const evidence::UsualReport& report, UsualSheet::ShowRequests showRequests, UsualSheet::ShowEndpoint showEndpoint) {
    return new UsualSheet(topic, report, std::move(showRequests), std::move(showEndpoint));
}

void UsualSheet::showFailure(const QString& why) { m_verdict->set(Tone::caution, tr("Not followed now: %1").arg(why)); }

}  // namespace signalbox::ui
