// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <string>

namespace signalbox::evidence {

/// What stands in a record's receipt and in its row alike.
struct WrittenOrigin {
    explicit WrittenOrigin(const DecisionRecord& record);
    std::string id, createdAt;
};

/// `encodeRecord`, and whether the receipt reads back as the very record: false when a text had to be made UTF-8 or a
/// number is not finite, which JSON cannot say.
[[nodiscard]] bool encodeExactReceipt(const DecisionRecord& record, const WrittenOrigin& origin, std::string& out);

}  // namespace signalbox::evidence
