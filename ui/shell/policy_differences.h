// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/snapshot.h"

#include <QList>
#include <QString>

namespace signalbox::ui {

/// One thing that an apply changes. A null text: it is not there.
struct PolicyDifference {
    QString where;  ///< "routing.groups.auto.default_profile", "routing-table.json: preset fast"
    QString before, after;
    bool operator==(const PolicyDifference&) const = default;
};
/// What lies between two policies, and what an apply changes beside them: where the gateway listens and what its records say.
/// Whatever came or went as a whole is one difference. Values that may hold a secret are compared by their digests, and of a URL
/// only scheme and host are told, since a key may stand in its path. Callable on any thread.
[[nodiscard]] QList<PolicyDifference> policyDifferences(const policy::PolicySnapshot& running, const policy::PolicySnapshot& draft);

}  // namespace signalbox::ui
