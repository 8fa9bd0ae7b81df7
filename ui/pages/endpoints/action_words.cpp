// SPDX-License-Identifier: MIT
#include "ui/pages/endpoints/action_words.h"

#include "ui/theme/format.h"

#include <QCoreApplication>

namespace signalbox::ui {

using engine::EndpointAction;

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(EndpointActions)
};
}  // namespace

static QString inFlight(const engine::EndpointHealth& health) {
    if (health.inFlight == 0) return Words::tr("Nothing is in flight there.");
    return Words::tr("%n request(s) in flight there will finish.", nullptr, static_cast<int>(health.inFlight));
}

// Draining and opening take work away from an endpoint, so they are asked about; what gives it back is not.
ActionWords actionWords(EndpointAction action, const engine::EndpointHealth& health) {
    const QString name = format::text(health.endpointId);
    switch (action) {
    case EndpointAction::drain:
        return {Words::tr("Drain %1? It gets no new attempts until somebody takes it back. %2").arg(name, inFlight(health)), Words::tr("Drain %1").arg(name), Words::tr("%1 is drained").arg(name),
                EndpointAction::undrain, Words::tr("Take it back")};
    case EndpointAction::undrain: return {{}, Words::tr("Take %1 back").arg(name), Words::tr("%1 may get attempts again").arg(name), EndpointAction::drain, Words::tr("Drain it again")};
    case EndpointAction::trip:
        return {Words::tr("Open the circuit of %1? It rests for its cooling time and then tries one attempt. %2").arg(name, inFlight(health)), Words::tr("Open its circuit"),
                Words::tr("The circuit of %1 is open").arg(name), EndpointAction::reset, Words::tr("Close it again")};
    case EndpointAction::reset: return {{}, Words::tr("Close its circuit"), Words::tr("The circuit of %1 is closed").arg(name), EndpointAction::trip, Words::tr("Open it again")};
    }
    return {};
}

}  // namespace signalbox::ui
