// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "ui/document/home_workspace.h"

#include <QAction>
#include <QObject>

#include <filesystem>
#include <functional>

namespace signalbox::ui {

class Bridge;
class PolicyDocument;

/// Start, stop, apply and the kill switch as one set of actions, used by the menu, the palette and the pages alike.
/// They are enabled exactly when they make sense.
class GatewayControl : public QObject {
    Q_OBJECT
public:
    GatewayControl(Bridge* bridge, PolicyDocument* document, QObject* parent = nullptr);

    /// Where the keys lie that the operator trusts: what one of them signed runs under its signer's name.
    void setKeyFolder(const std::filesystem::path& folder) { m_keyFolder = folder; }

    /// Of the workspace `folder` alone this console's gateway runs and records. For another one that is open, start and apply
    /// offer a console of its own instead, which `open` starts with its path.
    void setHome(const std::filesystem::path& folder, std::function<Result<void>(const QString& path)> open);
    [[nodiscard]] const HomeWorkspace& home() const { return m_home; }
    /// Why what is open is not run here, the words for the way out, and that way.
    [[nodiscard]] QString guestWords() const;
    [[nodiscard]] QString openVerb() const;
    void openGuest();
    /// Starts the gateway once the policy of its own workspace is open, if that is what is opened next.
    void startWhenOpened();

    [[nodiscard]] QAction* startAction() const { return m_start; }
    [[nodiscard]] QAction* stopAction() const { return m_stop; }
    [[nodiscard]] QAction* applyAction() const { return m_apply; }
    /// Of the console's own gateway one click, no question: it is taken back as easily. Checked while the switch holds the gateway at mode off.
    [[nodiscard]] QAction* killAction() const { return m_kill; }
    [[nodiscard]] bool isKilled() const;
    /// True when an apply would change something: a running gateway answers with another policy than the one that is open, or,
    /// as far as is known of one, listens elsewhere or writes its records otherwise.
    [[nodiscard]] bool draftDiffers() const;
    /// Something was asked of the gateway that is looked at and is not answered yet.
    [[nodiscard]] bool isBusy() const { return m_busy; }

Q_SIGNALS:
    /// Asked first: a stop, an apply of what is not saved or has findings, whatever is done to a gateway elsewhere, by its name,
    /// and opening another console. `go` does it.
    void asked(const QString& question, const QString& verb, const std::function<void()>& go);
    void stateChanged();
    void said(const QString& text);
    void failed(const signalbox::Error& error);

private:
    void start();
    void offerConsole();
    void stop();
    void apply();
    void applyHere();
    void applyNow();
    void refuseOther();
    void toggleKill();
    void killNow(bool on);
    [[nodiscard]] QString elsewhere() const;
    void refreshElsewhere();
    /// The gateway that something was asked of.
    struct Asked {
        quint64 look = 0;
        QString name;
        bool remote = false;
    };
    [[nodiscard]] bool isHere(const Asked& asked) const { return asked.look == m_look; }
    void checkWhatRuns(const Asked& asked, const std::string& hash, const QString& success);
    [[nodiscard]] Asked begin();
    void finish(const Asked& asked, const Result<void>& result, const QString& success);
    void refresh();

    Bridge* m_bridge;
    PolicyDocument* m_document;
    std::filesystem::path m_keyFolder;
    HomeWorkspace m_home;
    std::function<Result<void>(const QString& path)> m_openConsole;
    QAction* m_start;
    QAction* m_stop;
    QAction* m_apply;
    QAction* m_kill;
    bool m_busy = false;
    quint64 m_look = 0;  ///< counts the gateways looked at
};

}  // namespace signalbox::ui
