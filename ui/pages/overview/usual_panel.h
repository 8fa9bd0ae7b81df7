// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/overview/usual.h"
#include "ui/pages/page.h"

#include <QPointer>
#include <QTimer>

#include <array>
#include <optional>

namespace signalbox::ui {

class UsualFigure;
class UsualSheet;

/// The watched figures of the range beside the same time of the last four weeks. Asks history while it is shown.
class UsualPanel : public QWidget {
    Q_OBJECT
public:
    explicit UsualPanel(const PageContext& context, QWidget* parent = nullptr);

    /// The last answer; nullopt before the first, and while history cannot be read.
    [[nodiscard]] const std::optional<evidence::UsualReport>& report() const { return m_report; }

Q_SIGNALS:
    void reported();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void ask();
    void take(Result<evidence::UsualReport> report);
    void inspect(UsualTopic topic);

    PageContext m_context;
    std::array<UsualFigure*, kUsualTopics.size()> m_figures{};
    std::optional<evidence::UsualReport> m_report;
    QPointer<UsualSheet> m_sheet;  ///< of one of them, in the inspector
    TicketPtr m_ticket;
    QTimer m_again;  ///< what is usual changes slowly, and its questions read five ranges
    std::chrono::seconds m_askedSpan{0};
    bool m_stale = true;
};

}  // namespace signalbox::ui
