// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/event.h"

#include <QWidget>

namespace signalbox::ui {

/// One event in full, for the inspector, with what leads on from it.
class EventSheet : public QWidget {
    Q_OBJECT
public:
    explicit EventSheet(const evidence::Event& event, QWidget* parent = nullptr);

Q_SIGNALS:
    void decisionsWanted();  ///< those around its time
    void personWanted();     ///< everything by who did it
    void subjectWanted();    ///< everything that happened to the same
};

}  // namespace signalbox::ui
