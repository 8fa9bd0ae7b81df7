// SPDX-License-Identifier: MIT
#include "router/engine/local_operator.h"

#include <array>
#include <pwd.h>
#include <unistd.h>

namespace signalbox::engine {

static constexpr std::size_t kMostOperatorBytes = 128;

std::string localOperator() {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
    std::array<char, 4096> room{};
    passwd account{};
    passwd* found = nullptr;
    const bool isNamed = ::getpwuid_r(::geteuid(), &account, room.data(), room.size(), &found) == 0 && found != nullptr;
    std::string who = (isNamed ? std::string(account.pw_name) : std::to_string(::geteuid())) + "@" + (host[0] == '\0' ? "unknown" : host.data());
    std::erase_if(who, [](char c) { return c <= 0x20 || c >= 0x7f; });
    return who.substr(0, kMostOperatorBytes);
}

}  // namespace signalbox::engine
