// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/widgets/tone_label.h"

namespace signalbox::ui {

/// Says whose decisions a page reads while another workspace than the console's own is open, or another gateway is looked
/// at; hidden at home.
class WhoseRecords : public ToneLabel {
    Q_OBJECT
public:
    explicit WhoseRecords(const PageContext& context, QWidget* parent = nullptr);

private:
    void follow();

    PageContext m_context;
};

/// Of a live decision of the gateway that is looked at: a receipt stays in the inspector when the look moves on.
[[nodiscard]] QString liveReceiptTitle(const Bridge& bridge);

}  // namespace signalbox::ui
