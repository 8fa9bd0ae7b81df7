// SPDX-License-Identifier: MIT
#pragma once

#include "router/evidence/evidence.h"
#include "tests/support/scripted_upstream.h"

#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <map>
#include <memory>
#include <set>
#include <string>

namespace signalbox::test {

/// A real `signalboxctl serve` with its private PostgreSQL over one upstream that speaks both protocols, and SDKs in
/// processes of their own as its clients.
///
/// Providers `oa` and `an` speak OpenAI's and Anthropic's protocol; `oa_brisk` and `an_brisk` wait two seconds at most. Static
/// aliases: `plain-oa`, `plain-an`, `no-index`, `solo-FAULT-…` and `gone-FAULT-…`. Groups: `duo-oa` and `duo-an`, whose first
/// candidate speaks what they are named after and whose second the other; `duo-FAULT-…`, whose first candidate fails.
class ClientStage {
public:
    ClientStage();
    ~ClientStage();
    ClientStage(const ClientStage&) = delete;
    ClientStage& operator=(const ClientStage&) = delete;

    /// Empty when it serves, else why not.
    [[nodiscard]] QString start();
    /// The exit code after SIGTERM; -1 if it did not end.
    [[nodiscard]] int stop();

    /// What a suite printed, one object for each case; a line that is no object, or another exit code than 0, is an object with `error`.
    [[nodiscard]] std::vector<QJsonObject> run(const QString& suite);
    /// Waits until so many requests are stored; by the client's request id.
    [[nodiscard]] std::map<std::string, evidence::DecisionRecord> rows(const std::set<std::string>& requestIds);

    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] std::string token() const { return m_token.toStdString(); }
    [[nodiscard]] ScriptedUpstream& upstream() { return m_upstream; }

private:
    [[nodiscard]] std::string configText() const;
    [[nodiscard]] Reply reply(const ReceivedRequest& request);
    [[nodiscard]] QString readyAddress();

    QTemporaryDir m_folder{QStringLiteral("/tmp/sbc-XXXXXX")};
    std::set<std::string> m_seen;  ///< models; touched by the upstream's responder only, which runs one at a time
    ScriptedUpstream m_upstream;
    QProcess m_server;
    QString m_baseUrl, m_token;
    std::uint16_t m_port = 0;
    evidence::EvidenceOptions m_evidence;
};

/// Compares a case's line with its row: outcome, attempts as `ENDPOINT OUTCOME [STATUS]`, the calls of tools, and for what
/// was served the tokens. Empty when they tell one story, else where they differ.
[[nodiscard]] QString difference(const QJsonObject& expected, const evidence::DecisionRecord& row);

}  // namespace signalbox::test
