// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/widgets/tone_label.h"

namespace signalbox::ui {

/// Says whose decisions a page reads while another workspace than the console's own is open; hidden at home.
class WhoseRecords : public ToneLabel {
    Q_OBJECT
public:
    explicit WhoseRecords(const PageContext& context, QWidget* parent = nullptr);

private:
    void follow(const GatewayControl& gateway);
};

}  // namespace signalbox::ui
