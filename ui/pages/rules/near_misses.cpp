// SPDX-License-Identifier: MIT
#include "ui/pages/rules/near_misses.h"

#include "ui/theme/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace signalbox::ui {

namespace {

struct NearMissesWords {
    Q_DECLARE_TR_FUNCTIONS(NearMisses)
};

constexpr std::uint64_t kSmallSample = 1000;  // of format::share

enum class Miss { none, workload, length, concurrency, several };

Miss missOf(const table::When& when, const table::Cell& cell) {
    const auto excludes = [](std::uint8_t mask, auto value) { return (mask >> static_cast<unsigned>(value) & 1U) == 0; };
    const bool workload = excludes(when.workloadMask, cell.workload), length = excludes(when.lengthMask, cell.length),
               concurrency = excludes(when.concurrencyMask, cell.concurrency);
    switch (int(workload) + int(length) + int(concurrency)) {
    case 0: return Miss::none;
    case 1: return workload ? Miss::workload : length ? Miss::length : Miss::concurrency;
    default: return Miss::several;
    }
}

QString capWords(const NearMisses& misses) {
    if (misses.lengthSample == 0) return {};
    return NearMissesWords::tr("; no cap %1").arg(format::share(misses.withoutCap, misses.lengthSample));
}

struct Reason {
    std::uint64_t requests = 0;
    QString name, sentence, more;
};

std::array<Reason, 4> reasons(const NearMisses& misses) {
    const auto of = [&](std::uint64_t requests) {
        const QString share = format::share(requests, misses.family);  // names a small sample by itself
        return misses.family < kSmallSample ? share : NearMissesWords::tr("%1 of %2").arg(share, format::count(misses.family));
    };
    return {{{misses.byLength, NearMissesWords::tr("Missed only by length"), NearMissesWords::tr("%1 missed it only by length%2").arg(of(misses.byLength), capWords(misses)), capWords(misses)},
             {misses.byConcurrency, NearMissesWords::tr("Missed only by concurrency"), NearMissesWords::tr("%1 missed it only by concurrency").arg(of(misses.byConcurrency)), {}},
             {misses.byWorkload, NearMissesWords::tr("Missed only by kind of work"), NearMissesWords::tr("%1 missed it only by kind of work").arg(of(misses.byWorkload)), {}},
             {misses.takenEarlier, NearMissesWords::tr("Taken by an earlier rule"), NearMissesWords::tr("%1 fitted, but an earlier rule took them").arg(of(misses.takenEarlier)), {}}}};
}

}  // namespace

NearMisses nearMisses(const FamilyView& view, std::size_t rule, const evidence::CellHits& hits, const std::optional<evidence::CellCaps>& caps) {
    NearMisses misses;
    misses.family = hits.total;
    const table::When& when = view.table().rules[rule].when;
    if (!when.canMatch) return misses;
    for (const table::CellCoverage& covered : view.coverage().cells) {
        const std::size_t cell = covered.cell.index();
        switch (missOf(when, covered.cell)) {
        case Miss::none:
            if (covered.ruleIndex && *covered.ruleIndex != rule) misses.takenEarlier += hits.hits[cell];
            break;
        case Miss::workload: misses.byWorkload += hits.hits[cell]; break;
        case Miss::concurrency: misses.byConcurrency += hits.hits[cell]; break;
        case Miss::length:
            misses.byLength += hits.hits[cell];
            if (!caps) break;
            misses.lengthSample += caps->cells[cell].requests;
            misses.withoutCap += caps->cells[cell].withoutCap;
            break;
        case Miss::several: break;
        }
    }
    return misses;
}

QString largestMiss(const NearMisses& misses) {
    const auto all = reasons(misses);
    const auto largest = std::max_element(all.begin(), all.end(), [](const Reason& a, const Reason& b) { return a.requests < b.requests; });
    return largest->requests == 0 ? QString() : largest->sentence;
}

std::vector<std::pair<QString, QString>> allMisses(const NearMisses& misses) {
    std::vector<std::pair<QString, QString>> out;
    for (const Reason& reason : reasons(misses)) {
        if (reason.requests == 0) continue;
        out.emplace_back(reason.name, NearMissesWords::tr("%1, %2 of the family%3").arg(format::count(reason.requests), format::share(reason.requests, misses.family), reason.more));
    }
    return out;
}

}  // namespace signalbox::ui
