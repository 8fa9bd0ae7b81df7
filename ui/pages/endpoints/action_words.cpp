// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/action_words.h"

#include "ui/theme/format.h"

#include <QCoreApplication>

namespace signalbox::ui {

using engine::EndpointAction;

namespace {
struct ActionTexts {
    Q_DECLARE_TR_FUNCTIONS(EndpointActions)
};
}  // namespace

static QString inFlight(const engine::EndpointHealth& health) {
    if (health.inFlight == 0) return ActionTexts::tr("Nothing is in flight there.");
    return ActionTexts::tr("%n request(s) in flight there will finish.", nullptr, static_cast<int>(health.inFlight));
}

// Draining and opening take work away from an endpoint, so they are asked about; what gives it back is not.
static ActionWords ownWords(EndpointAction action, const engine::EndpointHealth& health) {
    const QString name = format::text(health.endpointId);
    switch (action) {
    case EndpointAction::drain:
        return {ActionTexts::tr("Drain %1? It gets no new attempts until somebody takes it back. %2").arg(name, inFlight(health)), ActionTexts::tr("Drain %1").arg(name), ActionTexts::tr("%1 is drained").arg(name),
                EndpointAction::undrain, ActionTexts::tr("Take it back")};
    case EndpointAction::undrain: return {{}, ActionTexts::tr("Take %1 back").arg(name), ActionTexts::tr("%1 may get attempts again").arg(name), EndpointAction::drain, ActionTexts::tr("Drain it again")};
    case EndpointAction::trip:
        return {ActionTexts::tr("Open the circuit of %1? It rests for its cooling time and then tries one attempt. Requests without another choice still go there; draining keeps them away, too. %2").arg(name, inFlight(health)), ActionTexts::tr("Open its circuit"),
                ActionTexts::tr("The circuit of %1 is open").arg(name), EndpointAction::reset, ActionTexts::tr("Close it again")};
    case EndpointAction::reset: return {{}, ActionTexts::tr("Close its circuit"), ActionTexts::tr("The circuit of %1 is closed").arg(name), EndpointAction::trip, ActionTexts::tr("Open it again")};
    }
    return {};
}

static QString questionElsewhere(EndpointAction action, const QString& name) {
    switch (action) {
    case EndpointAction::undrain: return ActionTexts::tr("Take %1 back? It may get attempts again.").arg(name);
    case EndpointAction::reset: return ActionTexts::tr("Close the circuit of %1? It may be used at once.").arg(name);
    case EndpointAction::drain:
    case EndpointAction::trip: break;
    }
    return {};
}

ActionWords actionWords(EndpointAction action, const engine::EndpointHealth& health, const QString& elsewhere) {
    ActionWords words = ownWords(action, health);
    if (elsewhere.isEmpty()) return words;
    if (words.question.isEmpty()) words.question = questionElsewhere(action, format::text(health.endpointId));
    words.question = ActionTexts::tr("On %1: %2").arg(elsewhere, words.question);
    words.done = ActionTexts::tr("%1, on %2").arg(words.done, elsewhere);
    return words;
}

}  // namespace signalbox::ui
