// SPDX-License-Identifier: MIT
#include "router/evidence/stored_record.h"

#include "router/evidence/decision_rows.h"
#include "router/evidence/exact_receipt.h"
#include "router/evidence/sum_tables.h"

#include <cstring>

namespace signalbox::evidence {
namespace {

/// Before the three parts. Numbers stand as this machine keeps them: a journal does not travel.
struct StoredHead {
    std::uint32_t form = kStoredForm;
    std::uint32_t receiptBytes = 0;
    std::uint32_t rowBytes = 0;
    std::uint32_t sumsBytes = 0;
    std::int64_t createdAtUs = 0;
};
static_assert(sizeof(StoredHead) == 24 && std::is_trivially_copyable_v<StoredHead>);

std::optional<StoredHead> headOf(std::string_view stored) {
    StoredHead head;
    if (stored.size() < sizeof head) return std::nullopt;
    std::memcpy(&head, stored.data(), sizeof head);
    const std::uint64_t parts = std::uint64_t{head.receiptBytes} + head.rowBytes + head.sumsBytes;
    return parts == stored.size() - sizeof head ? std::optional(head) : std::nullopt;
}

Error noStoredRecord() {
    return {ErrorKind::badInput, "this part of the journal holds no decision", {}, "It was written wrongly; please report it."};
}

/// Row and sums of `record` behind what `out` holds of it, and their sizes into its head, which stands at `start`.
void finish(const DecisionRecord& record, const WrittenOrigin& origin, std::string& out, std::size_t start) {
    StoredHead head;
    head.receiptBytes = static_cast<std::uint32_t>(out.size() - start - sizeof head);
    const std::size_t row = out.size();
    appendRow(record, origin, out);
    const std::size_t sums = out.size();
    appendSums(record, out);
    head.rowBytes = static_cast<std::uint32_t>(sums - row);
    head.sumsBytes = static_cast<std::uint32_t>(out.size() - sums);
    head.createdAtUs = record.createdAt.time_since_epoch().count();
    std::memcpy(out.data() + start, &head, sizeof head);
}

}  // namespace

void encodeStored(const DecisionRecord& record, std::string& out) {
    const std::size_t start = out.size();
    out.append(sizeof(StoredHead), '\0');
    const WrittenOrigin origin(record);
    if (encodeExactReceipt(record, origin, out)) return finish(record, origin, out, start);
    // Something had to be mended for JSON (bytes that are not UTF-8, a number that is none): the row must say the same.
    const auto mended = decodeRecord(std::string_view(out).substr(start + sizeof(StoredHead)));
    finish(mended ? *mended : record, origin, out, start);
}

std::optional<std::string_view> receiptOf(std::string_view stored) {
    const auto head = headOf(stored);
    return head ? std::optional(stored.substr(sizeof *head, head->receiptBytes)) : std::nullopt;
}

Result<StoredRecord> readStored(std::string_view stored, std::string& memory) {
    const auto head = headOf(stored);
    if (!head) return tl::unexpected(noStoredRecord());
    const std::string_view parts = stored.substr(sizeof *head);
    const std::string_view receipt = parts.substr(0, head->receiptBytes);
    if (head->form != kStoredForm) return storedFromReceipt(receipt, memory);
    return StoredRecord{Timestamp(std::chrono::microseconds(head->createdAtUs)), receipt,
                        parts.substr(head->receiptBytes, head->rowBytes), parts.substr(head->receiptBytes + head->rowBytes)};
}

Result<StoredRecord> storedFromReceipt(std::string_view receipt, std::string& memory) {
    const auto record = decodeRecord(receipt);
    if (!record) return tl::unexpected(record.error());
    memory.clear();
    appendRow(*record, memory);
    const std::size_t row = memory.size();
    appendSums(*record, memory);
    return StoredRecord{record->createdAt, receipt, std::string_view(memory).substr(0, row), std::string_view(memory).substr(row)};
}

}  // namespace signalbox::evidence
