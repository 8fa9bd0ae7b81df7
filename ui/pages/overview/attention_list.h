// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/overview/attention.h"

#include <QWidget>

class QVBoxLayout;

namespace signalbox::ui {

/// The needs-attention list: one row a cause, with the button that mends it.
class AttentionList : public QWidget {
    Q_OBJECT
public:
    explicit AttentionList(QWidget* parent = nullptr);
    /// Rebuilds only when something differs, so that focus and pointer stay where they are. `isAllKnown`: none means that nothing
    /// does, not that the gateway has still to tell.
    void show(const std::vector<AttentionItem>& items, bool isAllKnown = true);

Q_SIGNALS:
    void remedyWanted(const signalbox::ui::AttentionItem& item);

private:
    QWidget* makeRow(const AttentionItem& item);
    void showNone();

    std::vector<AttentionItem> m_items;
    bool m_isAllKnown = true;
    QVBoxLayout* m_layout;
};

}  // namespace signalbox::ui
