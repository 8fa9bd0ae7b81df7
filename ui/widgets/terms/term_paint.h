// SPDX-License-Identifier: MIT
#pragma once

#include "router/policy/smart/what_if.h"

#include <QColor>
#include <QString>

class QPainter;
class QRectF;

namespace signalbox::ui {

inline constexpr std::array kTerms{policy::smart::Term::quality, policy::smart::Term::cost, policy::smart::Term::latency,
                                   policy::smart::Term::reliability, policy::smart::Term::affinity};
/// The longest bar: four shares and the affinity on top.
inline constexpr double kLongestScore = 1.02;

[[nodiscard]] QColor termColor(policy::smart::Term term);
/// "Q", "C", "L", "R", "A" (translated; no two are the same).
[[nodiscard]] QString termLetter(policy::smart::Term term);
/// Colour with the term's own pattern, so that it can be told without colour.
void paintTermFill(QPainter& painter, const QRectF& box, policy::smart::Term term);
/// The same with its letter in the middle where there is room.
void paintTerm(QPainter& painter, const QRectF& box, policy::smart::Term term);

}  // namespace signalbox::ui
