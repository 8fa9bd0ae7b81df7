// SPDX-License-Identifier: MIT
#pragma once

#include "app/shared/demo_week/flows.h"
#include "router/base/clock.h"
#include "router/policy/snapshot.h"

#include <memory>
#include <string>
#include <vector>

namespace signalbox::app {

/// What ran when: smart routing off until release 14 on Monday 09:10, then the workspace's own policy, and from Saturday
/// 09:00 on a release with a canary of 20 % for the requests to `auto-extract`.
class DemoPolicies {
public:
    /// `now` is the story's Sunday.
    DemoPolicies(const policy::PolicySnapshot& own, Timestamp now);
    [[nodiscard]] const policy::PolicySnapshot& at(Timestamp at, const DemoFlow& flow) const;
    [[nodiscard]] const policy::PolicySnapshot& own() const { return m_own; }

    struct Release {
        Timestamp at;
        const policy::PolicySnapshot* before;
        const policy::PolicySnapshot* now;
        std::string signedBy;
    };
    /// Oldest first; they point into this.
    [[nodiscard]] std::vector<Release> releases() const;

private:
    const policy::PolicySnapshot& m_own;
    std::shared_ptr<const policy::PolicySnapshot> m_off, m_canary;
    Timestamp m_shadowFrom, m_canaryFrom;
};

}  // namespace signalbox::app
