// SPDX-License-Identifier: MIT
#include "ui/pages/overview/usual_sheet.h"

#include "ui/charts/time_series.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_tip.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/tone_text.h"

#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

namespace {

struct UsualSheetWords {
    Q_DECLARE_TR_FUNCTIONS(UsualSheet)
};

QString reading(UsualTopic topic, const std::optional<UsualReading>& reading) {
    if (!reading) return UsualSheetWords::tr("nothing measured");
    return UsualSheetWords::tr("%1 of %2").arg(usualValue(topic, reading->value), format::count(reading->sample));
}

void addParts(QVBoxLayout* layout, UsualTopic topic, const QString& heading, const std::vector<UsualPart>& parts) {
    layout->addWidget(makeHairline());
    layout->addWidget(makeHeading(heading));
    if (parts.empty()) layout->addWidget(makeMuted(UsualSheetWords::tr("None with enough requests to be told from chance.")));
    auto* facts = new FactList;
    for (const UsualPart& part : parts) facts->addText(part.name.empty() ? UsualSheetWords::tr("no team") : format::text(part.name), reading(topic, part.reading));
    layout->addWidget(facts);
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

QWidget* makeUsualSheet(UsualTopic topic, const evidence::UsualReport& report, std::function<void(const QVariantMap& filter)> showRequests) {
    const UsualText text = usualText(topic, report);
    auto* sheet = new QWidget;
    auto* layout = new QVBoxLayout(sheet);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGapWide);
    layout->addWidget(new ToneText(text.tone, UsualSheetWords::tr("%1: %2").arg(text.value, text.usual)));
    layout->addWidget(makeMuted(note(topic, report)));
    auto* weeks = new FactList;
    weeks->addText(UsualSheetWords::tr("Now"), reading(topic, usualReading(topic, report.now)));
    for (std::size_t i = 0; i < report.before.size(); ++i) {
        const QString name = i == 0 ? UsualSheetWords::tr("A week ago") : UsualSheetWords::tr("%n week(s) ago", nullptr, static_cast<int>(i + 1));
        auto* value = makeLabel(reading(topic, usualReading(topic, report.before[i])));
        value->setProperty("data", true);
        value->setToolTip(plainTip(rangeText(report.before[i].range)));
        weeks->addWidget(name, value);
    }
    layout->addWidget(weeks);
    addParts(layout, topic, UsualSheetWords::tr("Teams"), rankUsual(topic, report.teams, report.now.range));
    addParts(layout, topic, UsualSheetWords::tr("Endpoints"), rankUsual(topic, report.endpoints, report.now.range));
    auto* button = makeButton(UsualSheetWords::tr("Show these requests"), QStringLiteral("history"));
    QObject::connect(button, &QPushButton::clicked, sheet, [show = std::move(showRequests), filter = usualFilter(topic, {})] { show(filter); });
    layout->addWidget(button);
    return sheet;
}

}  // namespace signalbox::ui
