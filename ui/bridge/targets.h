// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/remote_target.h"
#include "ui/bridge/secret_store.h"
#include "ui/settings/settings.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace signalbox::ui {

class Bridge;

/// The gateways that the console may look at: its own, and those elsewhere that its user has added. Choosing one moves
/// the bridge. A console always begins at its own gateway: to act on another one by a switch that was forgotten is
/// worse than a click.
class Targets : public QObject {
    Q_OBJECT
public:
    /// How gateways elsewhere are reached; tests put others in.
    struct Reach {
        std::function<Result<std::shared_ptr<engine::Target>>(engine::RemoteOptions)> make;
        /// Blocks: asked on a worker.
        std::function<Result<engine::TargetStatus>(const engine::AdminAccess&)> ask;
        std::function<std::optional<QString>(const QString& variable)> environment;
    };
    [[nodiscard]] static Reach overTheNetwork();

    /// `secrets` may be null: there is no keyring. All outlive this.
    Targets(Bridge* bridge, Settings* settings, SecretStore* secrets, Reach reach, QObject* parent = nullptr);

    [[nodiscard]] const QList<NamedTarget>& all() const { return m_all; }
    /// Name of the one looked at; empty: the console's own.
    [[nodiscard]] const QString& current() const { return m_current; }
    [[nodiscard]] bool hasKeyring() const { return m_secrets != nullptr; }

    /// Empty chooses the console's own. `done` comes once it is looked at, with an error when its token cannot be had.
    void choose(const QString& name, std::function<void(Result<void>)> done);
    /// Asks the gateway for its status with this token, or with the one that its variable holds. Changes nothing.
    void test(const NamedTarget& target, const QString& token, std::function<void(Result<engine::TargetStatus>)> done);
    /// Keeps it, and its token in the keyring unless a variable holds it. Errors: the name is taken, the address is none
    /// or may hold a secret, no keyring.
    void add(const NamedTarget& target, const QString& token, std::function<void(Result<void>)> done);
    /// Forgets it with its token; looks at the console's own gateway when it was looked at.
    void remove(const QString& name);
    /// Empty when it can be added so far; else which field lacks what.
    [[nodiscard]] QString whyNotName(const QString& name) const;

Q_SIGNALS:
    void changed();  ///< the list, or which is looked at

private:
    [[nodiscard]] const NamedTarget* find(const QString& name) const;
    [[nodiscard]] engine::AdminAccess accessOf(const NamedTarget& target, const QString& token) const;
    void tokenOf(const NamedTarget& target, std::function<void(Result<QString>)> done) const;
    [[nodiscard]] Result<void> lookAt(const NamedTarget& target, const QString& token);

    Bridge* m_bridge;
    Settings* m_settings;
    SecretStore* m_secrets;
    Reach m_reach;
    QList<NamedTarget> m_all;
    QString m_current;
    quint64 m_choice = 0;  ///< a later choice overtakes one whose token is still being read
};

}  // namespace signalbox::ui
