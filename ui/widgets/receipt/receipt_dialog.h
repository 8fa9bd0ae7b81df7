// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/record.h"
#include "router/policy/workspace.h"

#include <QDialog>

#include <memory>

class QScrollArea;

namespace signalbox::ui {

/// A receipt with room around it, beside the window that goes on living. Escape closes it.
class ReceiptDialog : public QDialog {
    Q_OBJECT
public:
    explicit ReceiptDialog(QWidget* parent = nullptr);
    void setRecord(std::shared_ptr<const evidence::DecisionRecord> record, std::shared_ptr<const policy::LoadedWorkspace> workspace);

private:
    QScrollArea* m_area;
};

}  // namespace signalbox::ui
