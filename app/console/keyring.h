// SPDX-License-Identifier: MIT
#pragma once

#include "ui/bridge/secret_store.h"

#include <QObject>

namespace signalbox::console {

/// The desktop's keyring: Secret Service or KWallet, whichever runs. Everything is kept under `signalbox`.
class Keyring : public QObject, public ui::SecretStore {
    Q_OBJECT
public:
    using QObject::QObject;
    void read(const QString& name, std::function<void(Result<QString>)> done) override;
    void write(const QString& name, const QString& secret, std::function<void(Result<void>)> done) override;
    void remove(const QString& name, std::function<void(Result<void>)> done) override;
};

}  // namespace signalbox::console
