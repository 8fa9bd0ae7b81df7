// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/finding.h"
#include "ui/theme/theme.h"

#include <QWidget>

namespace signalbox::ui {

[[nodiscard]] Tone toneOf(Severity severity);
[[nodiscard]] QString wordOf(Severity severity);
/// "line 12:5", or "–".
[[nodiscard]] QString placeOf(const Finding& finding);

/// Remarks about a document, each written out: what, where, and what to do. For the inspector.
class FindingsList : public QWidget {
    Q_OBJECT
public:
    explicit FindingsList(const Findings& findings, QWidget* parent = nullptr);
};

/// One remark in full.
[[nodiscard]] QWidget* makeFindingView(const Finding& finding, const QString& file, QWidget* parent = nullptr);

}  // namespace signalbox::ui
