// SPDX-License-Identifier: MIT
#pragma once

#include <QFile>
#include <QString>

namespace signalbox::test {

/// 1 where the kernel may give the process huge pages, 0 where it may not, -1 where it does not say. `process` is its id, or
/// `self`.
[[nodiscard]] inline int mayBeHuge(const QString& process) {
    QFile status(QStringLiteral("/proc/%1/status").arg(process));
    const QByteArray text = status.open(QFile::ReadOnly) ? status.readAll() : QByteArray();
    return text.contains("THP_enabled:\t1\n") ? 1 : text.contains("THP_enabled:\t0\n") ? 0 : -1;
}

}  // namespace signalbox::test
