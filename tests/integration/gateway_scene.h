// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "tests/integration/load.h"
#include "tests/support/postgres.h"
#include "tests/support/scripted_upstream.h"

#include <filesystem>
#include <memory>
#include <string>

namespace signalbox::test {

/// A workspace on disk over a scripted upstream: family `fam-a` with `a-k1` (default) and `a-k4` (structured,
/// short, one at a time), a second family without default, and a database of its own named by $SCENE_DSN.
class GatewayScene {
public:
    /// `dsn` empty: no database is named and evidence is off.
    explicit GatewayScene(std::string dsn);
    /// Further sections of gateway.toml instead of those of before; for the next start or apply.
    void setMore(const std::string& toml);
    /// A further environment variable.
    void setVariable(const std::string& name, const std::string& value) { m_more.emplace_back(name, value); }

    [[nodiscard]] const std::filesystem::path& workspace() const { return m_workspace; }
    [[nodiscard]] std::filesystem::path dataFolder() const { return m_folder.path() / "data"; }
    [[nodiscard]] ScriptedUpstream& upstream() { return m_upstream; }
    [[nodiscard]] std::string token() const { return "scene-token-0123456789"; }
    [[nodiscard]] engine::Policy policy() const;

    /// An engine on this workspace, not started.
    [[nodiscard]] std::unique_ptr<engine::Target> makeTarget() const;
    /// Every third structured, every second streaming; model-a, model-b or the preset itself.
    [[nodiscard]] RequestLines request(int number) const;
    [[nodiscard]] config::Environment environment() const;
    /// NAME=VALUE lines that a child process needs.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> variables() const;

private:
    OpenTemporaryFolder m_folder;
    std::filesystem::path m_workspace;
    std::string m_dsn;
    std::vector<std::pair<std::string, std::string>> m_more;
    ScriptedUpstream m_upstream;
};

/// The port in `http://127.0.0.1:PORT/v1`.
[[nodiscard]] std::uint16_t portOf(const engine::Target& target);

} // namespace signalbox::test
