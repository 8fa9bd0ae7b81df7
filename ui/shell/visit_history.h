// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QVariantMap>

#include <optional>
#include <vector>

namespace signalbox::ui {

/// A place in the console: a page with its filters and selection, and the range that was in view.
struct Visit {
    QString page;
    QVariantMap state;
    QVariantMap range = {};
    bool operator==(const Visit&) const = default;
};

/// The way back and forward, as in a browser: leaving a place for a new one forgets what lay ahead.
class VisitHistory {
public:
    static constexpr std::size_t kLimit = 100;

    void leave(Visit from);
    [[nodiscard]] bool canGoBack() const { return !m_back.empty(); }
    [[nodiscard]] bool canGoForward() const { return !m_forward.empty(); }
    /// Where to go; `from` is where we are, for the way forward.
    [[nodiscard]] std::optional<Visit> back(Visit from);
    [[nodiscard]] std::optional<Visit> forward(Visit from);

private:
    std::vector<Visit> m_back, m_forward;
};

}  // namespace signalbox::ui
