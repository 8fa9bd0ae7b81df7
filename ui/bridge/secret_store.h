// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"

#include <QString>

#include <functional>

namespace signalbox::ui {

/// The keyring of the desktop, or what stands for it. Answers come on the GUI thread, some time later. That there is no
/// keyring is a normal state: then every call fails with `unavailable` and what to do instead.
class SecretStore {
public:
    virtual ~SecretStore() = default;
    /// `notFound` when nothing is kept under that name.
    virtual void read(const QString& name, std::function<void(Result<QString>)> done) = 0;
    virtual void write(const QString& name, const QString& secret, std::function<void(Result<void>)> done) = 0;
    virtual void remove(const QString& name, std::function<void(Result<void>)> done) = 0;
};

}  // namespace signalbox::ui
