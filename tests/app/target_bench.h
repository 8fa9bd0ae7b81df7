// SPDX-License-Identifier: MIT
#pragma once

#include "tests/app/gateway_process.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <memory>

namespace signalbox::test {

/// A gateway as a process, and the on-call's verbs on it. Its configuration has a smart group, so that modes mean something.
class TargetBench {
protected:
    static constexpr const char* kHelper = "[principals.helper]\nteam = \"support\"\ntoken_env = \"HELPER_TOKEN\"\n";

    [[nodiscard]] static QStringList words(const char* text) { return QString::fromUtf8(text).split(QLatin1Char(' ')); }
    [[nodiscard]] static QByteArray smartConfig() {
        return goodConfig() +
               "[routing]\nmode = \"shadow\"\npolicy_version = \"v1\"\n[routing.groups.auto]\naliases = [\"auto\"]\n"
               "[[routing.groups.auto.candidates]]\nprovider = \"lab\"\nmodel = \"amber-26b\"\n"
               "[[routing.groups.auto.candidates]]\nprovider = \"lab\"\nmodel = \"basalt-31b\"\n";
    }
    [[nodiscard]] static QByteArray request(const char* model = "lab:amber-26b") {
        return QByteArray("{\"model\":\"") + model + "\",\"max_tokens\":4,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    }

    /// Before and after each test.
    void begin() {
        m_home = std::make_unique<CtlHome>();
        m_home->writeGoodWorkspace();
        m_home->set("SIGNALBOX_KEY_PASSWORD", QStringLiteral("p"));
    }
    void end() {
        m_gateway.reset();
        m_home.reset();
    }

    [[nodiscard]] CtlHome::Run run(const QStringList& arguments, const QByteArray& input = {}) const { return m_home->run(arguments, input); }
    [[nodiscard]] CtlHome::Run run(const char* arguments) const { return m_home->run(words(arguments)); }
    [[nodiscard]] QByteArray adminToken() const {
        const auto states = m_home->files("data/state");
        return states.isEmpty() ? QByteArray() : m_home->read(("data/state/" + states[0].toUtf8() + "/admin-token").constData()).trimmed();
    }
    void serve(const char* more = "--no-evidence", const QByteArray& config = {}) {
        m_home->write("ws/gateway.toml", smartConfig() + config);
        m_gateway = std::make_unique<Gateway>(*m_home, words("ws") + words(more));
        m_address = m_gateway->address();
        QVERIFY2(!m_address.isEmpty(), m_gateway->log().constData());
    }
    [[nodiscard]] QJsonObject status() const {
        const auto shown = run("status --workspace ws --json");
        return shown.code == 0 ? QJsonDocument::fromJson(shown.out).object() : QJsonObject();
    }
    void send(int count) const {
        for (int i = 0; i < count; ++i) {
            const auto sent = curl(*m_home, {QStringLiteral("-d"), QString::fromUtf8(request()), QStringLiteral("-o"), QStringLiteral("/dev/null"),
                                             QStringLiteral("-w"), QStringLiteral("%{http_code}"), QStringLiteral("http://") + QString::fromUtf8(m_address) + QStringLiteral("/v1/chat/completions")});
            QCOMPARE(sent.out, QByteArray("200"));
        }
    }

    std::unique_ptr<CtlHome> m_home;
    std::unique_ptr<Gateway> m_gateway;
    QByteArray m_address;
};

}  // namespace signalbox::test
