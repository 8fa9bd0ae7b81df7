// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/fleet.h"

#include <QString>

#include <optional>

namespace signalbox::ui {

/// How the console speaks of what an operator does to an endpoint.
struct ActionWords {
    QString question;  ///< what will happen, with the endpoint's name; empty where none is asked
    QString verb;      ///< "Drain"
    QString done;      ///< what happened
    engine::EndpointAction undo;  ///< what takes it back
    QString undoVerb;
};
/// `elsewhere` names the gateway when it is not the console's own: then everything is asked about, by its name.
[[nodiscard]] ActionWords actionWords(engine::EndpointAction action, const engine::EndpointHealth& health, const QString& elsewhere = {});

}  // namespace signalbox::ui
