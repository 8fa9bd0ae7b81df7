// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/groups/candidates_model.h"

#include <QDate>

class QWidget;

namespace signalbox::ui {

/// Everything that is known of one candidate, in full: what was written with its source, what was measured with its
/// sample, its price with age and source, its circuit with cause (F58).
[[nodiscard]] QWidget* makeCandidateSheet(const CandidateRow& row, const CandidatesModel::SourceOf& sourceOf, const QDate& today);

}  // namespace signalbox::ui
