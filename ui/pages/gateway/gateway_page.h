// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

namespace signalbox::ui {

class GatewayPage : public Page {
    Q_OBJECT
public:
    explicit GatewayPage(PageContext context, QWidget* parent = nullptr);
    [[nodiscard]] QString id() const override { return QStringLiteral("gateway"); }
    [[nodiscard]] QString name() const override { return tr("Gateway"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("gateway"); }
};

}  // namespace signalbox::ui
