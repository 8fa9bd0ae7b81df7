// SPDX-License-Identifier: MIT
#include "ui/pages/overview/overview_page.h"

namespace signalbox::ui {

OverviewPage::OverviewPage(PageContext context, QWidget* parent) : Page(std::move(context), parent) {}
QString OverviewPage::question() const { return tr("Is anything worse than usual, and for whom?"); }

}  // namespace signalbox::ui
