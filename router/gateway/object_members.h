// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/json_document.h"

#include <optional>
#include <string_view>
#include <vector>

namespace signalbox::gateway {

/// One member of a JSON object, as byte ranges of the text that holds it.
struct ObjectMember {
    ByteRange key; ///< with its quotes
    ByteRange value;
};

/// The members of the object that starts at `begin` (white space before it is skipped), in order; nullopt
/// when the text there is not a well-formed object on this level. Values are skipped, not validated.
[[nodiscard]] std::optional<std::vector<ObjectMember>> objectMembers(std::string_view text,
                                                                     std::size_t begin);

/// The ranges to erase so that exactly the members at `indexes` (ascending) disappear, each with one comma.
[[nodiscard]] std::vector<ByteRange> erasures(const std::vector<ObjectMember>& members,
                                              const std::vector<std::size_t>& indexes);

} // namespace signalbox::gateway
