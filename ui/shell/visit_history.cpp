// SPDX-License-Identifier: MIT
#include "ui/shell/visit_history.h"

namespace signalbox::ui {

void VisitHistory::leave(Visit from) {
    m_forward.clear();
    if (!m_back.empty() && m_back.back() == from) return;
    m_back.push_back(std::move(from));
    if (m_back.size() > kLimit) m_back.erase(m_back.begin());
}

static std::optional<Visit> move(std::vector<Visit>& source, std::vector<Visit>& target, Visit from) {
    if (source.empty()) return std::nullopt;
    target.push_back(std::move(from));
    Visit visit = std::move(source.back());
    source.pop_back();
    return visit;
}

std::optional<Visit> VisitHistory::back(Visit from) { return move(m_back, m_forward, std::move(from)); }
std::optional<Visit> VisitHistory::forward(Visit from) { return move(m_forward, m_back, std::move(from)); }

}  // namespace signalbox::ui
