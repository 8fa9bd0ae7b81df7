// SPDX-License-Identifier: MIT
#include "ui/widgets/receipt/receipt_dialog.h"

#include "ui/theme/theme.h"
#include "ui/theme/format.h"
#include "ui/widgets/receipt/receipt_view.h"

#include <QScrollArea>
#include <QVBoxLayout>

namespace signalbox::ui {

ReceiptDialog::ReceiptDialog(QWidget* parent) : QDialog(parent), m_area(new QScrollArea) {
    setObjectName(QStringLiteral("receiptDialog"));
    setModal(false);
    resize(940, 760);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_area);
}

void ReceiptDialog::setRecord(std::shared_ptr<const evidence::DecisionRecord> record, std::shared_ptr<const policy::LoadedWorkspace> workspace) {
    setWindowTitle(tr("Receipt %1").arg(format::text(record->id.text())));
    auto* canvas = new QWidget;
    canvas->setProperty("role", QStringLiteral("canvas"));
    auto* layout = new QVBoxLayout(canvas);
    layout->setContentsMargins(Theme::kSection, Theme::kMargin, Theme::kSection, Theme::kSection);
    auto* receipt = new ReceiptView(ReceiptView::Columns::two);
    receipt->setRecord(std::move(record), std::move(workspace));
    layout->addWidget(receipt);
    m_area->setWidget(canvas);
}

}  // namespace signalbox::ui
