// SPDX-License-Identifier: MIT
#include "router/engine/endpoint_action.h"

#include "router/engine/admin_actions.h"
#include "router/engine/event_log.h"
#include "router/engine/event_words.h"

namespace signalbox::engine {

std::string_view toString(EndpointAction action) {
    switch (action) {
    case EndpointAction::drain:
        return "drain";
    case EndpointAction::undrain:
        return "undrain";
    case EndpointAction::trip:
        return "trip";
    case EndpointAction::reset:
        return "reset";
    }
    return "";
}

void postAction(EventLog& log, const std::string& endpointId, EndpointAction action, const Actor& by) {
    using evidence::EventKind;
    const auto post = [&](EventKind kind, const char* words) {
        log.post(kind, endpointId, withOrigin(endpointId + words, by.from), by.name);
    };
    switch (action) {
    case EndpointAction::drain:
        return post(EventKind::drain, " is drained: it takes no new attempts.");
    case EndpointAction::undrain:
        return post(EventKind::undrain, " takes attempts again.");
    case EndpointAction::trip:
        return post(EventKind::trip, " was told to rest for its cooling time.");
    case EndpointAction::reset:
        return post(EventKind::reset, " may be used at once: its circuit was closed by hand.");
    }
}

} // namespace signalbox::engine
