// SPDX-License-Identifier: MIT
#include "ui/pages/groups/tool_calls.h"

#include "router/evidence/usual.h"
#include "ui/pages/page.h"

#include <algorithm>

namespace signalbox::ui {

using namespace std::chrono_literals;

static ToolCallCount countOf(const evidence::TrafficPart& part) {
    const std::uint64_t judged = std::min(part.toolCalls, part.toolCallsFit + part.toolCallsUnchecked);
    return {part.toolCallsFit, part.toolCalls - judged, part.toolCallsUnchecked};
}

ToolCallWatch::ToolCallWatch(Bridge* bridge, const ViewState* view, QObject* parent) : QObject(parent), m_bridge(bridge), m_view(view) {
    m_again.setSingleShot(true);
    m_again.setInterval(20s);
    connect(&m_again, &QTimer::timeout, this, [this] {
        if (m_stale) ask();
    });
}

// The state of a live range is its length: that it moved is no other range.
void ToolCallWatch::refresh(std::map<std::string, std::vector<std::string>> servedBy) {
    m_servedBy = std::move(servedBy);
    m_stale = true;
    if (!m_again.isActive() || m_view->state() != m_asked) ask();
}

void ToolCallWatch::rest() { m_stale = false; }

void ToolCallWatch::ask() {
    m_stale = false;
    m_again.start();
    m_asked = m_view->state();
    const auto usual = [range = m_view->range()](evidence::HistoryReader& reader, const evidence::CancelToken& cancel) {
        return reader.usual(range, cancel);
    };
    m_ticket = m_bridge->ask<evidence::UsualReport>(usual,
        [this](const Result<evidence::UsualReport>& report) {
            m_answered.clear();
            if (report)
                for (const auto& [endpoint, part] : report->endpoints)
                    if (part.toolCalls > 0) m_answered[endpoint] = countOf(part);
            Q_EMIT changed();
        });
}

ToolCallCount ToolCallWatch::of(const std::string& candidate) const {
    ToolCallCount sum;
    const auto add = [&](const std::string& endpoint) {
        const auto found = m_answered.find(endpoint);
        if (found == m_answered.end()) return;
        sum.fit += found->second.fit;
        sum.violating += found->second.violating;
        sum.unchecked += found->second.unchecked;
    };
    add(candidate);
    if (const auto others = m_servedBy.find(candidate); others != m_servedBy.end())
        for (const std::string& endpoint : others->second)
            if (endpoint != candidate) add(endpoint);
    return sum;
}

}  // namespace signalbox::ui
