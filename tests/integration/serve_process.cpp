// SPDX-License-Identifier: MIT
#include "tests/integration/serve_process.h"

#include <QRegularExpression>
#include <csignal>
#include <sys/prctl.h>

namespace signalbox::test {

ServeProcess::ServeProcess(const GatewayScene& scene, const QStringList& moreArguments) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const auto& [name, value] : scene.variables())
        environment.insert(QString::fromStdString(name), QString::fromStdString(value));
    m_process.setProcessEnvironment(environment);
    m_process.setChildProcessModifier([] {
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that was aborted leaves nothing behind
    });
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(QStringLiteral(SIGNALBOX_BINARY_DIR "/app/ctl/signalboxctl"),
                    QStringList{QStringLiteral("serve"), QString::fromStdString(scene.workspace().string())} + moreArguments);
    QByteArray ready;
    while (!ready.contains('\n') && m_process.waitForReadyRead(20'000))
        ready += m_process.readAllStandardOutput();
    const auto match = QRegularExpression(QStringLiteral(":(\\d+)\\s*$")).match(QString::fromUtf8(ready).trimmed());
    m_port = match.hasMatch() ? static_cast<std::uint16_t>(match.captured(1).toUInt()) : 0;
}

ServeProcess::~ServeProcess() {
    if (m_process.state() != QProcess::NotRunning) kill();
}

void ServeProcess::kill() {
    m_process.kill();
    m_process.waitForFinished(10'000);
}

bool ServeProcess::terminate() {
    m_process.terminate();
    return m_process.waitForFinished(60'000) && m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0;
}

} // namespace signalbox::test
