// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/overview/usual.h"

#include <QVariantMap>

#include <functional>

class QWidget;

namespace signalbox::ui {

/// One watched figure in full, for the inspector: now, each week before, and every team and endpoint with its sample.
/// `showRequests` goes to history with its filter.
[[nodiscard]] QWidget* makeUsualSheet(UsualTopic topic, const evidence::UsualReport& report, std::function<void(const QVariantMap& filter)> showRequests);

/// The decisions that a figure is about; empty where it is about all.
[[nodiscard]] QVariantMap usualFilter(UsualTopic topic, const std::string& endpoint);

}  // namespace signalbox::ui
