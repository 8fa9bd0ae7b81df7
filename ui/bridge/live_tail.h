// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace signalbox::ui {

/// The live end of a list of decisions that the database gets a little later. What the database had when it was asked and what
/// came live since make one list, unless something is in neither: then the list is behind, and nothing goes on top of it until
/// the newest have been read again. Knows how the evidence writer settles and what the bridge keeps. Holds no rows of the list,
/// asks nothing and has no clock or timer: its owner says when something was asked, came or is looked at. GUI thread.
class LiveTail {
public:
    /// What the gateway had recorded at a moment, and the writer brought to its end.
    struct Mark {
        std::uint64_t recorded = 0, unsettled = 0;
        std::uint64_t ended = 0;  ///< begins below zero, by what an earlier process left behind
    };
    /// Between two calls of `look`.
    static constexpr std::chrono::milliseconds kLookPause{500};

    /// Both of the console's own gateway; `recent` as `Bridge::ownRecent`, and outlives this. Of what comes live during one
    /// question at most `mostKept` stay at hand: as many as the list has rows.
    LiveTail(std::function<evidence::EvidenceStatus()> status, const std::vector<RecordPtr>& recent, std::size_t mostKept);

    /// Before a question for rows: what comes live until its answer stays at hand with what is there now. `isAsking`: another
    /// one is under way, which keeps what it has. Its answer is judged by the mark.
    [[nodiscard]] Mark ask(bool isAsking);
    /// What the bridge hands on. `isBehindGap`: it was not handed all that came before these.
    void arrived(const std::vector<RecordPtr>& records, bool isBehindGap, bool isAsking);
    /// The newest decisions, oldest first.
    [[nodiscard]] const std::vector<RecordPtr>& atHand() const;
    /// Those that belong on a page behind `after`: what took long comes live when its place has not been read yet, and may have
    /// been too late for its page.
    [[nodiscard]] std::vector<RecordPtr> atHandBelow(const evidence::PageKey& after) const;
    /// Whether all that was decided came live and is at hand, but for what the database had at that moment.
    [[nodiscard]] bool hasAllSince(const Mark& asked) const;

    /// Rows may be missing: nothing goes above the hole until it has been read.
    [[nodiscard]] bool isBehind() const { return m_isBehind; }
    /// More came than was handed on, or a page was read too early. `below` is where the list's next page begins.
    void fallBehind(const std::optional<evidence::PageKey>& below);
    /// A look while behind. True when reading the newest again helps: nothing can be missing then, or under lasting load now and
    /// then before, so that the list goes on; not while a search is still under way to its end.
    [[nodiscard]] bool look(bool isSearching);

    /// The list is this page now.
    void begin(const evidence::HistoryPage& page, Timestamp now);
    /// The list has nothing of the database, and so no hole.
    void beginWithout() { m_isBehind = false; }
    /// The first page of the newest, asked for again. `below` as above: a page that was asked for since is below that, and what it
    /// may miss came, or comes, within the same time.
    void newestCame(const evidence::HistoryPage& page, const std::optional<evidence::PageKey>& below, Timestamp now);
    /// Whether that page, or one that was asked for behind it, comes down to where nothing is missing.
    [[nodiscard]] bool reachesDown(const evidence::HistoryPage& page) const;
    void newestRead() { m_readTo = m_newestRead; }
    /// The answer to what was asked then is in the list: true when all that is at hand may come on top of it, else it is behind.
    [[nodiscard]] bool join(const Mark& asked);

private:
    [[nodiscard]] Mark mark() const;
    [[nodiscard]] Timestamp readTo(const std::optional<evidence::PageKey>& below) const;
    void waitFrom(std::uint64_t ended);

    std::function<evidence::EvidenceStatus()> m_status;
    const std::vector<RecordPtr>& m_recent;
    std::size_t m_mostKept;
    std::vector<RecordPtr> m_kept;  ///< as the bridge's, which a slow search outlasts: nothing is dropped while a question is under way
    bool m_isBehind = false;
    std::uint64_t m_endedThen = 0;  ///< when the database was asked last
    int m_looks = 0;                ///< since then
    Timestamp m_readTo{};           ///< while not behind: nothing was missing from here down to the list's next page
    Timestamp m_newestRead{};       ///< becomes that once the question for the newest has come down to it
    Timestamp m_newestTo{};         ///< so far down that question goes, whatever is read below meanwhile
};

}  // namespace signalbox::ui
