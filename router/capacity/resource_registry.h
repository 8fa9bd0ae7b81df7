// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/capacity/quota.h"
#include "router/capacity/slots.h"

#include <functional>
#include <map>
#include <variant>
#include <vector>

namespace signalbox::capacity {

/// Who owns what: one resource per identity, for the whole process. It outlives engines, so that a policy applied by
/// restart finds the calls of the old one still counted. Safe to use from several threads.
class ResourceRegistry {
public:
    using Entry = std::variant<std::shared_ptr<Slots>, std::shared_ptr<Quota>>;

    /// The slots of that identity, made on first use; a later, different limit takes effect at once.
    /// Fails with ErrorKind::conflict when the identity already names a quota.
    [[nodiscard]] Result<std::shared_ptr<Slots>> slots(const std::string& identity, std::uint32_t limit);
    /// Likewise; a later, different window too, from `now` on. Whether it is `externallyCounted` is said by the first use.
    [[nodiscard]] Result<std::shared_ptr<Quota>> quota(const std::string& identity, QuotaOptions options, Steady now);

    /// Ordered by identity.
    [[nodiscard]] std::vector<Entry> all() const;

private:
    mutable std::mutex m_mutex;
    std::map<std::string, Entry, std::less<>> m_entries;
};

}  // namespace signalbox::capacity
