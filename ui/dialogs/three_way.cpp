// SPDX-License-Identifier: MIT
#include "ui/dialogs/three_way.h"

#include <algorithm>

namespace signalbox::ui {

static constexpr int kMostDifferences = 2'000;

namespace {

/// The furthest points of one number of differences, by diagonal.
class Front {
public:
    explicit Front(int differences) : m_offset(differences + 1), m_x(static_cast<std::size_t>(2 * differences + 3), 0) {}
    int& at(int diagonal) { return m_x[static_cast<std::size_t>(diagonal + m_offset)]; }
    [[nodiscard]] int at(int diagonal) const { return m_x[static_cast<std::size_t>(diagonal + m_offset)]; }

private:
    int m_offset;
    std::vector<int> m_x;
};

class Myers {
public:
    Myers(const QStringList& before, const QStringList& after, int front, int beforeCount, int afterCount)
        : m_before(before), m_after(after), m_front(front), m_n(beforeCount), m_m(afterCount) {}

    void match(std::vector<int>& matches) {
        Front last(0);
        for (int d = 0; d <= std::min(m_n + m_m, kMostDifferences); ++d) {
            Front now(d);
            for (int k = -d; k <= d; k += 2) {
                int x = startOf(last, d, k);
                while (x < m_n && x - k < m_m && isSame(x, x - k)) ++x;
                now.at(k) = x;
                if (x < m_n || x - k < m_m) continue;
                m_trace.push_back(std::move(now));
                return walkBack(d, matches);
            }
            last = m_trace.emplace_back(std::move(now));
        }
    }

private:
    [[nodiscard]] bool isSame(int x, int y) const { return m_before.at(m_front + x) == m_after.at(m_front + y); }
    [[nodiscard]] static bool goesDown(const Front& last, int d, int k) { return k == -d || (k != d && last.at(k - 1) < last.at(k + 1)); }
    [[nodiscard]] static int startOf(const Front& last, int d, int k) {
        if (d == 0) return 0;
        return goesDown(last, d, k) ? last.at(k + 1) : last.at(k - 1) + 1;
    }
    void walkBack(int d, std::vector<int>& matches) const {
        int x = m_n, y = m_m;
        for (; d >= 0; --d) {
            const int k = x - y;
            int fromX = 0, fromY = 0;
            if (d > 0) {
                const Front& last = m_trace[static_cast<std::size_t>(d - 1)];
                const bool down = goesDown(last, d, k);
                fromX = last.at(down ? k + 1 : k - 1);
                fromY = fromX - (down ? k + 1 : k - 1);
                const int startX = down ? fromX : fromX + 1;
                while (x > startX) matches[static_cast<std::size_t>(m_front + --x)] = m_front + --y;
            } else {
                while (x > 0 && y > 0) matches[static_cast<std::size_t>(m_front + --x)] = m_front + --y;
            }
            x = fromX;
            y = fromY;
        }
    }

    const QStringList& m_before;
    const QStringList& m_after;
    int m_front, m_n, m_m;
    std::vector<Front> m_trace;
};

}  // namespace

std::vector<int> matchingLines(const QStringList& before, const QStringList& after) {
    const int n = static_cast<int>(before.size()), m = static_cast<int>(after.size());
    std::vector<int> matches(static_cast<std::size_t>(n), -1);
    int front = 0, back = 0;
    while (front < std::min(n, m) && before.at(front) == after.at(front)) ++front;
    while (back < std::min(n, m) - front && before.at(n - 1 - back) == after.at(m - 1 - back)) ++back;
    for (int i = 0; i < front; ++i) matches[static_cast<std::size_t>(i)] = i;
    for (int i = 1; i <= back; ++i) matches[static_cast<std::size_t>(n - i)] = m - i;
    Myers(before, after, front, n - front - back, m - front - back).match(matches);
    return matches;
}

namespace {

struct Range {
    int from = 0, to = 0;
    [[nodiscard]] int size() const { return to - from; }
};

bool areSame(const QStringList& a, Range inA, const QStringList& b, Range inB) {
    return std::equal(a.begin() + inA.from, a.begin() + inA.to, b.begin() + inB.from, b.begin() + inB.to);
}

std::optional<QString> lineAt(const QStringList& lines, Range range, int row) {
    return row < range.size() ? std::optional(lines.at(range.from + row)) : std::nullopt;
}

}  // namespace

std::vector<ThreeWayRow> compareThree(const QString& baseText, const QString& theirsText, const QString& oursText) {
    const QStringList base = baseText.split(QLatin1Char('\n')), theirs = theirsText.split(QLatin1Char('\n')), ours = oursText.split(QLatin1Char('\n'));
    const std::vector<int> inTheirs = matchingLines(base, theirs), inOurs = matchingLines(base, ours);
    std::vector<ThreeWayRow> rows;
    int b = 0, t = 0, o = 0;
    const auto addUpTo = [&](int nextBase, int nextTheirs, int nextOurs) {
        const Range inB{b, nextBase}, inT{t, nextTheirs}, inO{o, nextOurs};
        const bool theirsDiffers = !areSame(base, inB, theirs, inT), oursDiffers = !areSame(base, inB, ours, inO);
        for (int row = 0; row < std::max({inB.size(), inT.size(), inO.size()}); ++row)
            rows.push_back({lineAt(base, inB, row), lineAt(theirs, inT, row), lineAt(ours, inO, row), theirsDiffers, oursDiffers});
        b = nextBase;
        t = nextTheirs;
        o = nextOurs;
    };
    for (int i = 0; i < static_cast<int>(base.size()); ++i) {
        const int their = inTheirs[static_cast<std::size_t>(i)], our = inOurs[static_cast<std::size_t>(i)];
        if (their < 0 || our < 0) continue;
        addUpTo(i, their, our);
        addUpTo(i + 1, their + 1, our + 1);
    }
    addUpTo(static_cast<int>(base.size()), static_cast<int>(theirs.size()), static_cast<int>(ours.size()));
    return rows;
}

}  // namespace signalbox::ui
