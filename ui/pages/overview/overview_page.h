// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

namespace signalbox::ui {

class OverviewPage : public Page {
    Q_OBJECT
public:
    explicit OverviewPage(PageContext context, QWidget* parent = nullptr);
    [[nodiscard]] QString id() const override { return QStringLiteral("overview"); }
    [[nodiscard]] QString name() const override { return tr("Overview"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("overview"); }
};

}  // namespace signalbox::ui
