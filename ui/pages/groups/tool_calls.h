// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"

#include <QObject>
#include <QTimer>
#include <QVariantMap>

#include <map>
#include <string>
#include <vector>

namespace signalbox::ui {

class ViewState;

/// Tool calls in the answers of one candidate.
struct ToolCallCount {
    std::uint64_t fit = 0;        ///< with arguments that the offered schema accepts
    std::uint64_t violating = 0;  ///< with others
    std::uint64_t unchecked = 0;  ///< of which nobody can say
    [[nodiscard]] std::uint64_t checked() const { return fit + violating; }
    /// Of those checked; 0 where none were.
    [[nodiscard]] double share() const { return checked() == 0 ? 0 : double(fit) / double(checked()); }
    bool operator==(const ToolCallCount&) const = default;
};

/// Whether candidates call tools as their clients' schemas say, in the range that is looked at. History tells it of a
/// sample, by a question that reads five ranges: it is asked at once for another range, and else every 20 s at most.
class ToolCallWatch : public QObject {
    Q_OBJECT
public:
    ToolCallWatch(Bridge* bridge, const ViewState* view, QObject* parent);

    /// Somebody looks. `servedBy`: endpoints by candidate that answer for it, too.
    void refresh(std::map<std::string, std::vector<std::string>> servedBy);
    /// Nobody looks any more.
    void rest();
    [[nodiscard]] ToolCallCount of(const std::string& candidate) const;

Q_SIGNALS:
    void changed();

private:
    void ask();

    Bridge* m_bridge;
    const ViewState* m_view;
    std::map<std::string, std::vector<std::string>> m_servedBy;
    std::map<std::string, ToolCallCount> m_answered;  ///< by endpoint
    TicketPtr m_ticket;
    QTimer m_again;
    QVariantMap m_asked;  ///< the range, as it is part of the way back
    bool m_stale = false;
};

}  // namespace signalbox::ui
