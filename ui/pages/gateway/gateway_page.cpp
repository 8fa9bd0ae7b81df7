// SPDX-License-Identifier: MIT
#include "ui/pages/gateway/gateway_page.h"

namespace signalbox::ui {

GatewayPage::GatewayPage(PageContext context, QWidget* parent) : Page(std::move(context), parent) {}
QString GatewayPage::question() const { return tr("Which client is broken, and what should it send?"); }

}  // namespace signalbox::ui
