// SPDX-License-Identifier: MIT
#include "router/base/sha256_stream.h"

#include <sodium.h>

namespace signalbox {
namespace {

using State = crypto_hash_sha256_state;

}  // namespace

Sha256Stream::Sha256Stream() : m_state{} {
    static_assert(sizeof(State) <= sizeof(m_state) && alignof(State) <= 16 && std::is_trivially_copyable_v<State>);
    crypto_hash_sha256_init(reinterpret_cast<State*>(m_state.data()));
}

void Sha256Stream::add(std::string_view bytes) {
    crypto_hash_sha256_update(reinterpret_cast<State*>(m_state.data()),
                              reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

Sha256 Sha256Stream::digest() const {
    Sha256Stream copy = *this;  // finishing destroys the state
    Sha256 out;
    crypto_hash_sha256_final(reinterpret_cast<State*>(copy.m_state.data()), out.data());
    return out;
}

}  // namespace signalbox
