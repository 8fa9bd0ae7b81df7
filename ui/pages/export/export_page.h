// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

class QBoxLayout;
class QScrollArea;
class QStackedWidget;

namespace signalbox::ui {

class EmptyState;
class ExportContents;
class ExportOutcome;
class LoneWorker;
class SigningForm;
class WriteGate;

/// "What exactly leaves this machine, and who vouches for it?" The table, byte for byte, with a detached signature
/// that stock minisign verifies. Keys are unlocked on a worker; nothing here holds a password longer than the signing.
class ExportPage : public Page {
    Q_OBJECT
public:
    explicit ExportPage(PageContext context, QWidget* parent = nullptr);
    /// Nothing is written behind a page that is gone, and nobody waits for its key.
    ~ExportPage() override;
    [[nodiscard]] QString id() const override { return QStringLiteral("export"); }
    [[nodiscard]] QString name() const override { return tr("Export"); }
    [[nodiscard]] QString question() const override;
    [[nodiscard]] QString iconName() const override { return QStringLiteral("export"); }
    [[nodiscard]] RangeUse rangeUse() const override { return RangeUse::none; }

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeLayout();
    void answer(const QString& sentence);
    void takeWorkspace();
    void listKeys(const std::filesystem::path& select = {});
    void createKey(const QString& name, const QString& password);
    void startExport();
    void cancel();
    void refuse(const QString& title, const Error& error);

    ExportContents* m_contents;
    SigningForm* m_form;
    ExportOutcome* m_outcome;
    EmptyState* m_empty;
    QStackedWidget* m_stack;
    QScrollArea* m_scroll;
    QBoxLayout* m_columns = nullptr;    ///< one below the other where the page is narrow
    LoneWorker* m_keyWork;              ///< what needs a key unlocked or made, which takes seconds and up to 1 GiB
    std::shared_ptr<WriteGate> m_gate;  ///< of what runs there and is wanted; null when nothing is
    QString m_answer;  ///< told again whenever the page is opened
};

}  // namespace signalbox::ui
