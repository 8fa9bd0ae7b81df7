// SPDX-License-Identifier: MIT
#pragma once

#include "router/engine/target.h"
#include "tests/support/raw_http.h"

#include <QTemporaryDir>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

namespace signalbox::test {

/// A gateway with a smart group over two simulated providers, and its admin API over real sockets. Its database is out of
/// reach; what it writes down is in its journal.
class AdminScene {
public:
    struct Options {
        std::string listen = "127.0.0.1:0";
        std::string more;  ///< further sections of gateway.toml
        engine::ApplyRules rules = {};
        std::map<std::string, std::string> variables = {};
        std::string mode = "active";
        int percent = 20;
    };
    explicit AdminScene(Options options);
    AdminScene() : AdminScene(Options()) {}

    [[nodiscard]] engine::Target& target() { return *m_target; }
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::string adminToken() const;
    [[nodiscard]] const Options& options() const { return m_options; }

    [[nodiscard]] RawResponse get(const std::string& path, std::vector<std::string> headers = {}) const;
    [[nodiscard]] RawResponse post(const std::string& path, const std::string& body, std::vector<std::string> headers = {}) const;
    /// With exactly these headers.
    [[nodiscard]] RawResponse bare(const std::string& method, const std::string& path, std::vector<std::string> headers,
                                   const std::string& body = {}) const;
    [[nodiscard]] nlohmann::json status() const;
    /// One chat completion for the group, with the client's token.
    [[nodiscard]] RawResponse ask(const std::string& session = {}) const;

    [[nodiscard]] std::string configText(const std::string& mode, int percent, const std::string& more = {}) const;
    [[nodiscard]] std::string tableText() const;
    /// A body for /admin/apply without signatures.
    [[nodiscard]] std::string applyBody(const std::string& config) const;
    /// Ends the gateway; what it wrote down, oldest first.
    [[nodiscard]] std::vector<evidence::Event> eventsAfter();

private:
    QTemporaryDir m_folder;
    Options m_options;
    std::unique_ptr<engine::Target> m_target;
};

/// `code` of an error in the shape of the OpenAI edge; empty if it is none.
[[nodiscard]] std::string errorCode(const RawResponse& response);
/// Its message.
[[nodiscard]] std::string errorMessage(const RawResponse& response);

} // namespace signalbox::test
