// SPDX-License-Identifier: MIT
#include "ui/bridge/targets.h"

#include "router/engine/local_operator.h"
#include "ui/bridge/async.h"
#include "ui/bridge/bridge.h"
#include "ui/theme/format.h"

#include <QPointer>

#include <algorithm>

namespace signalbox::ui {

static QString keyringName(const QString& target) { return QStringLiteral("admin-token/") + target; }

static Error noKeyring() {
    return {ErrorKind::unavailable, "there is no keyring on this desktop", {}, "Let an environment variable hold the token, and name it instead."};
}

Targets::Reach Targets::overTheNetwork() {
    Reach reach;
    reach.make = [](engine::RemoteOptions options) -> Result<std::shared_ptr<engine::Target>> {
        auto made = engine::makeRemoteTarget(std::move(options));
        if (!made) return tl::unexpected(made.error());
        return std::shared_ptr<engine::Target>(std::move(*made));
    };
    reach.ask = [](const engine::AdminAccess& access) { return engine::AdminClient(access).status(); };
    reach.environment = [](const QString& variable) -> std::optional<QString> {
        const QByteArray name = variable.toUtf8();
        if (!qEnvironmentVariableIsSet(name.constData())) return std::nullopt;
        return qEnvironmentVariable(name.constData());
    };
    return reach;
}

Targets::Targets(Bridge* bridge, Settings* settings, SecretStore* secrets, Reach reach, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_settings(settings), m_secrets(secrets), m_reach(std::move(reach)), m_all(settings->targets()) {}

const NamedTarget* Targets::find(const QString& name) const {
    const auto found = std::find_if(m_all.begin(), m_all.end(), [&name](const NamedTarget& target) { return target.name == name; });
    return found == m_all.end() ? nullptr : &*found;
}

engine::AdminAccess Targets::accessOf(const NamedTarget& target, const QString& token) const {
    engine::AdminAccess access;
    access.url = format::utf8(target.url);
    access.token = format::utf8(token.trimmed());
    access.tokenFrom = target.tokenVariable.isEmpty() ? "the keyring" : "$" + format::utf8(target.tokenVariable);
    access.caFile = format::utf8(target.caFile);
    access.actor = engine::localOperator();
    return access;
}

void Targets::tokenOf(const NamedTarget& target, std::function<void(Result<QString>)> done) const {
    if (target.tokenVariable.isEmpty()) {
        if (m_secrets == nullptr) return done(tl::unexpected(noKeyring()));
        return m_secrets->read(keyringName(target.name), std::move(done));
    }
    const auto token = m_reach.environment(target.tokenVariable);
    if (!token || token->isEmpty())
        return done(fail(ErrorKind::denied, "the variable that should hold its admin token is not set", "$" + format::utf8(target.tokenVariable),
                         "Set it before the console starts."));
    done(*token);
}

Result<void> Targets::lookAt(const NamedTarget& target, const QString& token) {
    engine::RemoteOptions options;
    options.name = format::utf8(target.name);
    options.access = accessOf(target, token);
    auto made = m_reach.make(std::move(options));
    if (!made) return tl::unexpected(made.error());
    m_current = target.name;
    m_bridge->lookAt(std::move(*made));
    Q_EMIT changed();
    return {};
}

void Targets::choose(const QString& name, std::function<void(Result<void>)> done) {
    ++m_choice;
    if (name.isEmpty()) {
        m_current.clear();
        m_bridge->lookAt(nullptr);
        Q_EMIT changed();
        return done({});
    }
    const NamedTarget* found = find(name);
    if (found == nullptr) return done(fail(ErrorKind::notFound, "no gateway of that name was added", format::utf8(name), "Add it first."));
    tokenOf(*found, [this, guard = QPointer(this), choice = m_choice, target = *found, done = std::move(done)](Result<QString> token) {
        if (!guard || choice != m_choice) return;
        if (!token) return done(tl::unexpected(token.error()));
        done(lookAt(target, *token));
    });
}

void Targets::test(const NamedTarget& target, const QString& token, std::function<void(Result<engine::TargetStatus>)> done) {
    const auto ask = [this, target, done](const QString& found) {
        runWaiting(this, [access = accessOf(target, found), ask = m_reach.ask] { return ask(access); }, done);
    };
    if (target.tokenVariable.isEmpty()) return ask(token);
    tokenOf(target, [ask, done](Result<QString> found) {
        if (!found) return done(tl::unexpected(found.error()));
        ask(*found);
    });
}

QString Targets::whyNotName(const QString& name) const {
    if (name.trimmed().isEmpty()) return tr("It needs a name.");
    if (find(name.trimmed()) != nullptr) return tr("There is one of that name already.");
    return {};
}

/// What is kept goes into the settings, a plain file.
static Result<void> checkAddress(const QString& url) {
    if (auto usable = engine::checkAddress(format::utf8(url)); !usable) return usable;
    // Nobody can tell where a password ends that has a slash.
    if (url.contains(QLatin1Char('@')))
        return fail(ErrorKind::badInput, "what stands before an @ behind the host may be a secret, and addresses are kept in a plain file", {},
                    "If it belongs to the path, write %40 for it.");
    return {};
}

void Targets::add(const NamedTarget& target, const QString& token, std::function<void(Result<void>)> done) {
    if (const QString why = whyNotName(target.name); !why.isEmpty()) return done(fail(ErrorKind::conflict, format::utf8(why)));
    if (auto mayBeKept = checkAddress(target.url); !mayBeKept) return done(std::move(mayBeKept));
    const auto keep = [this, target] {
        m_all << target;
        m_settings->setTargets(m_all);
        Q_EMIT changed();
    };
    if (!target.tokenVariable.isEmpty()) {
        keep();
        return done({});
    }
    if (m_secrets == nullptr) return done(tl::unexpected(noKeyring()));
    m_secrets->write(keyringName(target.name), token.trimmed(), [guard = QPointer(this), keep, done = std::move(done)](Result<void> written) {
        if (!guard) return;
        if (written) keep();
        done(std::move(written));
    });
}

void Targets::remove(const QString& name) {
    const NamedTarget* found = find(name);
    if (found == nullptr) return;
    const bool isInKeyring = found->tokenVariable.isEmpty();
    m_all.removeAll(NamedTarget(*found));
    m_settings->setTargets(m_all);
    if (isInKeyring && m_secrets != nullptr) m_secrets->remove(keyringName(name), [](const Result<void>&) {});
    if (m_current == name) return choose({}, [](const Result<void>&) {});
    Q_EMIT changed();
}

}  // namespace signalbox::ui
