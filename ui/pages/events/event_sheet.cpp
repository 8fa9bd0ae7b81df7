// SPDX-License-Identifier: MIT
#include "ui/pages/events/event_sheet.h"

#include "ui/models/event_words.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/tone_label.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace signalbox::ui {

EventSheet::EventSheet(const evidence::Event& event, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("eventSheet"));
    setAccessibleName(tr("An event"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addWidget(new ToneLabel(words::eventTone(event), words::eventKind(event.kind)));
    auto* said = makeLabel(format::text(event.words));
    said->setProperty("data", true);  // the gateway's words, or an operator's note
    said->setTextFormat(Qt::PlainText);
    layout->addWidget(said);

    auto* facts = new FactList;
    if (!event.subject.empty()) facts->addId(tr("Of what"), format::text(event.subject));
    const QString who = words::actorWords(event.actor);
    facts->addText(tr("By"), !who.isEmpty() ? who : event.actor == evidence::kByGateway ? tr("the gateway itself") : tr("an operator who is not named"));
    facts->addText(tr("When"), format::dateTime(event.createdAt));
    facts->addText(tr("In UTC"), format::utc(event.createdAt));
    facts->addText(tr("Gateway"), format::text(event.target));
    facts->addText(tr("Environment"), format::text(event.environment));
    if (!event.policyHash.empty()) facts->addId(tr("Policy then"), format::text(event.policyHash));
    facts->addId(tr("Event"), format::text(event.id.text()));
    layout->addWidget(facts);

    const auto offer = [this, layout](const QString& text, const QString& icon, void (EventSheet::*wanted)()) {
        auto* button = makeButton(text, icon);
        connect(button, &QPushButton::clicked, this, wanted);
        layout->addWidget(button);
    };
    offer(tr("Decisions around that time"), QStringLiteral("history"), &EventSheet::decisionsWanted);
    if (!who.isEmpty()) offer(tr("All that they did"), QStringLiteral("filter"), &EventSheet::personWanted);
    if (!event.subject.empty()) offer(tr("All that happened to it"), QStringLiteral("filter"), &EventSheet::subjectWanted);
    layout->addStretch();
}

}  // namespace signalbox::ui
