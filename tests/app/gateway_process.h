// SPDX-License-Identifier: MIT
#pragma once

#include "tests/app/ctl_process.h"

#include <QElapsedTimer>
#include <csignal>

namespace signalbox::test {

/// A gateway in the foreground of its own process. Killed when it goes, if it still runs.
class Gateway {
public:
    Gateway(const CtlHome& home, const QStringList& arguments) {
        m_process.setWorkingDirectory(home.path("."));
        m_process.setProcessEnvironment(home.environment());
        m_process.start(CtlHome::binary(), QStringList{QStringLiteral("serve")} + arguments);
    }
    ~Gateway() {
        if (m_process.state() == QProcess::NotRunning) return;
        m_process.kill();
        m_process.waitForFinished(5'000);
    }
    /// Waits for the ready line and gives its address; empty if it ends or takes too long.
    [[nodiscard]] QByteArray address() {
        const QByteArray marker("signalbox: listening on http://");
        if (!waitFor(m_out, marker)) return {};
        const auto begin = m_out.indexOf(marker) + marker.size();
        return m_out.mid(begin, m_out.indexOf('\n', begin) - begin);
    }
    [[nodiscard]] bool says(const QByteArray& text) { return waitFor(m_err, text); }
    /// To nobody when it did not start: number 0 would be the group of this test and of whoever runs it.
    void signal(int number) {
        if (id() > 0) ::kill(id(), number);
    }
    [[nodiscard]] pid_t id() const { return static_cast<pid_t>(m_process.processId()); }
    /// Whether it ended within that time.
    [[nodiscard]] bool ended(int ms) { return m_process.state() == QProcess::NotRunning || m_process.waitForFinished(ms); }
    /// The exit code, -1 if it does not end by itself.
    [[nodiscard]] int end() {
        const bool ended = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(20'000);
        collect();
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    [[nodiscard]] const QByteArray& log() const { return m_err; }

private:
    void collect() {
        m_out += m_process.readAllStandardOutput();
        m_err += m_process.readAllStandardError();
    }
    [[nodiscard]] bool waitFor(const QByteArray& where, const QByteArray& text) {
        QElapsedTimer timer;
        timer.start();
        constexpr int kPatience = 20'000;
        for (;;) {
            collect();
            if (where.contains(text)) return true;
            if (m_process.state() == QProcess::NotRunning || timer.elapsed() > kPatience) return false;
            // Also wakes for the other channel.
            m_process.waitForReadyRead(50);
        }
    }

    QProcess m_process;
    QByteArray m_out, m_err;
};

/// `curl` with these arguments against a gateway; the token of the only workspace in the home is sent.
inline CtlHome::Run curl(const CtlHome& home, const QStringList& arguments) {
    QByteArray token;
    const auto states = home.files("data/state");
    if (states.size() == 1) token = home.read(("data/state/" + states[0].toUtf8() + "/client-token").constData()).trimmed();
    return home.runProgram(QStringLiteral("curl"),
                           QStringList{QStringLiteral("-sS"), QStringLiteral("-m"), QStringLiteral("20"), QStringLiteral("-H"),
                                       QString::fromUtf8("Authorization: Bearer " + token)} + arguments);
}

}  // namespace signalbox::test
