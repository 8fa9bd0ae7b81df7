// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/running_view.h"

#include "ui/models/running_words.h"
#include "ui/theme/format.h"
#include "ui/widgets/basics.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/tone_label.h"

#include <QLabel>
#include <QVBoxLayout>

namespace signalbox::ui {

static QString orNone(const std::string& value) { return value.empty() ? format::none() : format::text(value); }

RunningView::RunningView(const evidence::RunningRequest& request, Steady now, QWidget* parent)
    : QWidget(parent), m_id(request.id), m_stage(new ToneLabel), m_sentence(makeLabel({})), m_age(makeLabel({})), m_first(makeLabel({})),
      m_endpoint(makeLabel({})), m_attempts(makeLabel({})) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kGap);
    layout->addWidget(m_stage);
    layout->addWidget(m_sentence);
    auto* facts = new FactList;
    facts->addId(tr("Decision"), format::text(request.id.text()));
    facts->addText(tr("Model asked for"), orNone(request.requestedModel));
    facts->addText(tr("Client"), orNone(request.principal));
    facts->addText(tr("API"), request.edge == evidence::Edge::anthropic ? tr("Anthropic") : tr("OpenAI"));
    facts->addText(tr("Answer"), request.stream ? tr("as a stream") : tr("whole"));
    facts->addText(tr("Preset"), request.presetKey ? format::text(*request.presetKey) : format::none());
    facts->addWidget(tr("Endpoint"), m_endpoint);
    facts->addWidget(tr("Attempts"), m_attempts);
    facts->addText(tr("Came at"), format::dateTime(request.createdAt));
    facts->addWidget(tr("For"), m_age);
    facts->addWidget(tr("First token"), m_first);
    for (QLabel* value : {m_age, m_first, m_endpoint, m_attempts}) value->setProperty("data", true);  // a value, nothing to translate
    m_age->setObjectName(QStringLiteral("runningAge"));
    m_first->setObjectName(QStringLiteral("runningFirstToken"));
    layout->addWidget(facts);
    layout->addWidget(makeMuted(tr("Its receipt takes this place when it has ended.")));
    set(request, now);
}

void RunningView::set(const evidence::RunningRequest& request, Steady now) {
    m_stage->set(words::stageTone(request.stage), words::stage(request.stage));
    m_sentence->setText(words::stageSentence(request));
    m_age->setText(words::age(request, now));
    m_first->setText(format::milliseconds(request.firstContentMs));
    m_endpoint->setText(orNone(request.endpointId));
    m_attempts->setText(format::count(request.attempts));
}

void RunningView::setGone() {
    m_stage->set(Tone::idle, tr("ended"));
    m_sentence->setText(tr("It ended, and how was not told here. The history of its gateway has its receipt."));
}

}  // namespace signalbox::ui
