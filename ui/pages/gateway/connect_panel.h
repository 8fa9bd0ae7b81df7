// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

class QLabel;

namespace signalbox::ui {

class CopyField;
class ToneLabel;

/// Start, stop, apply; and what a client needs to reach the gateway: base URL, as the SDKs of either API want it, and token.
class ConnectPanel : public QWidget {
    Q_OBJECT
public:
    explicit ConnectPanel(const PageContext& context, QWidget* parent = nullptr);

private:
    void refresh();

    PageContext m_context;
    ToneLabel* m_state;
    CopyField* m_address;
    CopyField* m_anthropicAddress;
    CopyField* m_token;
    QLabel* m_tokenNote;
};

}  // namespace signalbox::ui
