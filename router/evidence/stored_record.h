// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace signalbox::evidence {

/// A decision as the journal keeps it: its receipt and, made on the gateway's thread where the record is at hand, what the
/// writer would otherwise have to read out of it again. The receipt stays the truth, the rest can be made anew from it.
struct StoredRecord {
    Timestamp createdAt{};
    std::string_view receipt;  ///< JSON, as `encodeRecord` wrote it
    std::string_view row;      ///< of `appendRow`
    std::string_view sums;     ///< of `appendSums`
};

/// To be raised with every change of what `appendRow` and `appendSums` write: columns, questions, their keys and order.
/// Journals of another form are read by their receipts.
inline constexpr std::uint32_t kStoredForm = 1;

/// Appends a stored record.
void encodeStored(const DecisionRecord& record, std::string& out);
/// Its receipt, whatever its form; nullopt when this is no stored record.
[[nodiscard]] std::optional<std::string_view> receiptOf(std::string_view stored);
/// One of this form is read as it stands; one of another form is made anew in `memory`. Errors: no stored record, or one
/// of another form whose receipt cannot be read.
[[nodiscard]] Result<StoredRecord> readStored(std::string_view stored, std::string& memory);
/// From a receipt alone, what earlier versions wrote into the journal. Errors: of `decodeRecord`.
[[nodiscard]] Result<StoredRecord> storedFromReceipt(std::string_view receipt, std::string& memory);

}  // namespace signalbox::evidence
