// SPDX-License-Identifier: MIT
#include "ui/bridge/refusal_words.h"

#include "ui/theme/format.h"

#include <QCoreApplication>
#include <QMap>

#include <algorithm>

namespace signalbox::ui::words {

namespace {
struct RefusalTexts {
    Q_DECLARE_TR_FUNCTIONS(RefusalTexts)
};
}  // namespace

QString refusedClient(const engine::RefusalCount& refusal) {
    if (refusal.others && refusal.principal.empty()) return refusal.peer.empty() ? RefusalTexts::tr("other clients") : RefusalTexts::tr("others at %1", "clients at an address").arg(format::text(refusal.peer));
    QString who = format::text(refusal.principal.empty() ? refusal.peer : refusal.principal);
    if (!refusal.principal.empty() && !refusal.peer.empty()) who = RefusalTexts::tr("%1 at %2", "a principal at an address").arg(who, format::text(refusal.peer));
    const QString agent = format::text(refusal.agent);
    if (who.isEmpty()) return agent.isEmpty() ? format::none() : agent;
    return agent.isEmpty() ? who : RefusalTexts::tr("%1 (%2)", "a client and what it calls itself").arg(who, agent);
}

static bool isOneClient(const engine::RefusalCount& refusal) {
    return !refusal.others && !(refusal.principal.empty() && refusal.peer.empty() && refusal.agent.empty());
}

MostRefused mostRefused(const std::vector<engine::RefusalCount>& refusals) {
    QMap<QString, quint64> byClient;
    MostRefused out;
    for (const engine::RefusalCount& refusal : refusals) {
        out.ofAll += refusal.count;
        if (isOneClient(refusal)) byClient[refusedClient(refusal)] += refusal.count;
    }
    for (auto it = byClient.cbegin(); it != byClient.cend(); ++it)
        if (it.value() > out.count) out.client = it.key(), out.count = it.value();
    return out;
}

bool areSinceStart(const std::vector<engine::RefusalCount>& refusals) {
    return std::any_of(refusals.begin(), refusals.end(), [](const engine::RefusalCount& refusal) { return refusal.sinceStart; });
}

}  // namespace signalbox::ui::words
