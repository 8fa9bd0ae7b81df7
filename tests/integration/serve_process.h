// SPDX-License-Identifier: MIT
#pragma once

#include "tests/integration/gateway_scene.h"

#include <QProcess>

namespace signalbox::test {

/// A real `signalboxctl serve` on a scene's workspace, ready when constructed; killed at the end if it still runs.
class ServeProcess {
public:
    explicit ServeProcess(const GatewayScene& scene, const QStringList& moreArguments = {});
    ~ServeProcess();

    /// 0: it did not become ready; its messages are on our stderr.
    [[nodiscard]] std::uint16_t port() const { return m_port; }
    [[nodiscard]] qint64 id() const { return m_process.processId(); }
    [[nodiscard]] bool isRunning() { return m_process.state() == QProcess::Running && !m_process.waitForFinished(0); }
    /// SIGKILL.
    void kill();
    /// SIGTERM; true when it ends by itself and well, which under a sanitizer means that it found nothing.
    [[nodiscard]] bool terminate();

private:
    QProcess m_process;
    std::uint16_t m_port = 0;
};

} // namespace signalbox::test
