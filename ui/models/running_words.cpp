// SPDX-License-Identifier: MIT
#include "ui/models/running_words.h"

#include "ui/theme/format.h"

#include <QCoreApplication>

#include <algorithm>

namespace signalbox::ui::words {

namespace {

struct RunningWords {
    Q_DECLARE_TR_FUNCTIONS(Running)
};

QString where(const evidence::RunningRequest& request) { return request.endpointId.empty() ? format::none() : format::text(request.endpointId); }

QString told(const evidence::RunningRequest& request) {
    switch (request.stage) {
    case evidence::Stage::queued: return RunningWords::tr("Not sent yet: it waits for its turn");
    case evidence::Stage::waiting: return RunningWords::tr("Sent to %1, nothing of the answer came yet").arg(where(request));
    case evidence::Stage::streaming: return RunningWords::tr("The answer of %1 goes to the client").arg(where(request));
    }
    return {};
}

}  // namespace

QString stage(evidence::Stage stage) {
    switch (stage) {
    case evidence::Stage::queued: return RunningWords::tr("queued");
    case evidence::Stage::waiting: return RunningWords::tr("waiting");
    case evidence::Stage::streaming: return RunningWords::tr("streaming");
    }
    return {};
}

Tone stageTone(evidence::Stage stage) { return stage == evidence::Stage::queued ? Tone::idle : Tone::info; }

QString stageSentence(const evidence::RunningRequest& request) {
    if (request.attempts < 2) return told(request);
    return RunningWords::tr("%1; attempt %2").arg(told(request)).arg(request.attempts);
}

QString age(const evidence::RunningRequest& request, Steady now) {
    return format::seconds(std::max(std::chrono::floor<std::chrono::seconds>(now - request.admittedAt), std::chrono::seconds(0)));
}

}  // namespace signalbox::ui::words
