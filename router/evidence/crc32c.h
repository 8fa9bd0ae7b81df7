// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

namespace signalbox::evidence {

/// CRC-32C (Castagnoli), as iSCSI and ext4 use it: the one that processors have an instruction for.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes);
/// The same without that instruction.
[[nodiscard]] std::uint32_t crc32cByTable(std::string_view bytes);

}  // namespace signalbox::evidence
