// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/journal.h"
#include "router/evidence/segment_cursor.h"
#include "tests/router/evidence/store_station.h"

#include <filesystem>

namespace signalbox::test {

/// The segment of a station's journal that there is, or the other one of two.
inline std::filesystem::path onlySegment(const Station& station, const std::filesystem::path& beside = {}) {
    for (const auto& entry : std::filesystem::directory_iterator(station.folder.path() / "journal"))
        if (entry.path().extension() == evidence::Segment::kSuffix && entry.path() != beside) return entry.path();
    return {};
}

/// Records that an earlier process left, in one segment.
inline std::filesystem::path leaveBehind(const Station& station, std::uint64_t records, bool andAnImpossibleOne = false) {
    const auto folder = station.folder.path() / "journal";
    {
        const auto journal = evidence::Journal::open({folder}, station.clock).value();
        const auto sink = journal->makeSink().value();
        for (std::uint64_t n = 0; n < records; ++n) (void)sink->append(sampleRecord(kStart, n));
        evidence::DecisionRecord impossible = sampleRecord(kStart, records);
        impossible.createdAt = Timestamp{};
        if (andAnImpossibleOne) (void)sink->append(impossible);
    }
    return onlySegment(station);
}

inline std::uint64_t endOfFirst(const std::filesystem::path& segment) {
    evidence::SegmentCursor cursor(evidence::Segment::openLeftOver(segment).value());
    (void)cursor.next();
    return cursor.offset();
}

}  // namespace signalbox::test
