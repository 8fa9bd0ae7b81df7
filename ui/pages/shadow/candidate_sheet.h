// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/shadow/shadow_answer.h"

#include <QVariantMap>
#include <QWidget>

#include <functional>

namespace signalbox::ui {

/// One candidate in full for the inspector, with the ways to the decisions behind its numbers.
[[nodiscard]] QWidget* makeCandidateSheet(const CandidateFacts& facts, const std::function<void(const QString& page, const QVariantMap& arguments)>& go);

}  // namespace signalbox::ui
