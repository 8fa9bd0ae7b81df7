// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/history/history_query.h"

#include <functional>

class QMenu;

namespace signalbox::ui {

/// What narrows the list to requests like this one: one choice for each property of it that history can be asked for, on top
/// of `query`. What `query` asks already is marked and cannot be chosen.
void fillRowMenu(QMenu* menu, const evidence::DecisionRecord& record, const HistoryQuery& query,
                 const std::function<void(const HistoryQuery&)>& choose);

}  // namespace signalbox::ui
