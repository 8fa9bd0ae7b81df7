// SPDX-License-Identifier: MIT
#pragma once

namespace signalbox::dispatch {

/// The mark of an adapter that answers for several endpoints at once. A leaf refuses it: what it reports could be
/// counted for no endpoint in particular. Such an executor belongs behind a `TreeBackend`.
class CompositeExecutor {
public:
    virtual ~CompositeExecutor() = default;

protected:
    CompositeExecutor() = default;
};

}  // namespace signalbox::dispatch
