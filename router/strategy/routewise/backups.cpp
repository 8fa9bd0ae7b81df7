// SPDX-License-Identifier: MIT
#include "router/strategy/routewise/backups.h"

namespace signalbox::strategy::routewise {

Backups backupsFor(const Pool& pool, const Choice& choice, std::size_t primary, Steady now) {
    Backups out;
    for (std::size_t i = 0; i < choice.members.size(); ++i) {
        const Weighed& one = choice.members[i];
        if (i == primary || !one.costUsd) continue;
        out.profiles.push_back(pool.streamTimes(i, now));
        out.options.push_back({pool.members()[i].id, out.profiles.back().get(), *one.costUsd, one.mean.seconds() * 1000});
        out.members.push_back(i);
    }
    return out;
}

HedgeObjective objectiveOf(const Parameters& parameters) {
    HedgeObjective out;
    out.sloMs = std::chrono::duration<double, std::milli>(parameters.latencySlo).count();
    return out;
}

}  // namespace signalbox::strategy::routewise
