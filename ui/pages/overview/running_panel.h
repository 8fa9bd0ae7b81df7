// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

class QPushButton;

namespace signalbox::ui {

class ElidedLabel;
class ToneLabel;

/// What is running, in one band: state and address, policy hash and version, since when, and the three actions.
class RunningPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunningPanel(const PageContext& context, QWidget* parent = nullptr);

private:
    void refresh();

    PageContext m_context;
    ToneLabel* m_state;
    ElidedLabel* m_since;
    ElidedLabel* m_hash;
    ElidedLabel* m_version;
    ElidedLabel* m_signer;
    ToneLabel* m_draft;
};

}  // namespace signalbox::ui
