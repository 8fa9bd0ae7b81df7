// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/bridge.h"
#include "ui/pages/page.h"

#include <functional>
#include <span>

class QLabel;
class QPushButton;

namespace signalbox::ui {

class ToneLabel;

/// Says which gateway's endpoints a page judges by while another one than the console's own is looked at, or another
/// workspace is open, and what to do where none can be judged by; hidden at home. Hands their health out only where that
/// gateway runs a policy of the workspace that is open: elsewhere the same name may well stand for another server.
class WhoseHealth : public QWidget {
    Q_OBJECT
public:
    /// Whether applying what is open is offered here, or by the page itself.
    enum class Apply { here, elsewhereOnThePage };
    WhoseHealth(const PageContext& context, Apply apply, QWidget* parent);

    /// Of the gateway that is looked at, sorted by id; none while it is left out.
    [[nodiscard]] std::span<const engine::EndpointHealth> health() const;
    /// Why it is left out, as a sentence; empty while it is not.
    [[nodiscard]] const QString& whyNot() const { return m_verdict.whyNot; }
    /// The gateway elsewhere whose health it is; empty for the console's own, and while it is left out.
    [[nodiscard]] QString elsewhere() const;

Q_SIGNALS:
    /// `whyNot` is another.
    void changed();

private:
    using SnapshotPtr = std::shared_ptr<const policy::PolicySnapshot>;
    /// What the answer to "does it run one of ours?" depends on.
    struct Asked {
        std::string running, mode;
        std::uint32_t percent = 0;
        std::vector<SnapshotPtr> ours;
        bool operator==(const Asked&) const = default;
    };
    struct Verdict {
        QString whyNot;
        QString next;              ///< what the operator may do about it
        QString verb = {};         ///< of the button that does it; empty: there is none
        std::function<void()> go = {};
    };
    void follow();
    void remember();
    void tell(const Verdict& verdict);
    [[nodiscard]] Verdict judge();
    [[nodiscard]] Verdict judgeElsewhere();
    [[nodiscard]] Verdict runsAnother() const;
    [[nodiscard]] QString judgeByOwn() const;
    [[nodiscard]] bool runsOneOfOurs();

    PageContext m_context;
    Apply m_apply;
    ToneLabel* m_sentence;
    QWidget* m_wayOut;
    QLabel* m_next;
    QPushButton* m_button;
    Verdict m_verdict;
    std::filesystem::path m_tableFile, m_configFile;
    std::vector<SnapshotPtr> m_saved;  ///< of the files that are open, as they were read and saved, oldest first
    Asked m_asked;                     ///< last, and what was found
    bool m_runsOneOfOurs = false;
};

}  // namespace signalbox::ui
