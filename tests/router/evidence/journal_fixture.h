// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/journal.h"
#include "router/evidence/segment_cursor.h"
#include "tests/router/evidence/sample_records.h"
#include "tests/support/fakes.h"
#include "tests/support/postgres.h"

#include <QtGlobal>

namespace signalbox::test {

/// A journal in a folder of its own.
struct JournalFixture {
    OpenTemporaryFolder folder;
    ManualClock clock{kStart};

    std::shared_ptr<evidence::Journal> open(std::uint64_t maxBytes = std::uint64_t{64} << 20, std::uint64_t segmentBytes = 0) {
        auto journal = evidence::Journal::open({folder.path() / "journal", maxBytes, segmentBytes}, clock);
        if (!journal) qFatal("%s", journal.error().text().c_str());
        return *journal;
    }
    void fill(std::uint64_t first, std::uint64_t count) {
        const auto journal = open();
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = first; n < first + count; ++n) (void)sink->append(sampleRecord(kStart, n));
    }
};

/// Numbers of the records that a journal holds, in order.
inline std::vector<std::uint64_t> numbersIn(const evidence::Journal& journal, std::uint64_t* skipped = nullptr) {
    std::vector<std::uint64_t> numbers;
    for (const auto& segment : journal.segments()) {
        evidence::SegmentCursor cursor(segment);
        while (const auto payload = cursor.next())
            numbers.push_back(evidence::decodeRecord(*payload).value().features.inputTokens - 100);
        if (skipped != nullptr) *skipped += cursor.skippedBytes();
    }
    return numbers;
}

inline std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t count) {
    std::vector<std::uint64_t> out;
    for (std::uint64_t n = first; n < first + count; ++n) out.push_back(n);
    return out;
}

inline std::filesystem::path onlySegment(const JournalFixture& fixture) {
    for (const auto& entry : std::filesystem::directory_iterator(fixture.folder.path() / "journal"))
        if (entry.path().extension() == evidence::Segment::kSuffix) return entry.path();
    return {};
}

}  // namespace signalbox::test
