// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/widgets/forms/action_banner.h"

namespace signalbox::ui {

/// Says why the open routing table cannot be edited, and offers to fork a foreign one; hidden while it can be.
class ReadOnlyBanner : public ActionBanner {
    Q_OBJECT
public:
    explicit ReadOnlyBanner(const PageContext& context, QWidget* parent = nullptr);

private:
    void follow();
    PageContext m_context;
};

}  // namespace signalbox::ui
