// SPDX-License-Identifier: MIT
#pragma once

#include "router/base/error.h"
#include "router/classify/classify.h"

#include <nlohmann/json.hpp>
#include <QTest>

namespace signalbox::test {

/// Fails the test unless both say the same; the order of members does not count.
inline void compareJson(const Result<std::string>& got, const QByteArray& wanted) {
    QVERIFY2(got, got ? "" : got.error().text().c_str());
    const auto a = nlohmann::json::parse(*got, nullptr, false), b = nlohmann::json::parse(wanted.toStdString(), nullptr, false);
    QVERIFY2(!a.is_discarded(), got->c_str());
    QVERIFY2(!b.is_discarded(), wanted.constData());
    QCOMPARE(QByteArray::fromStdString(a.dump(1)), QByteArray::fromStdString(b.dump(1)));
}

/// Fails the test unless it is an error of the sender's at that place whose text holds `says`.
inline void compareRefusal(const Result<std::string>& got, const QString& where, const QString& says) {
    QVERIFY2(!got, got ? got->c_str() : "");
    QVERIFY(got.error().kind == ErrorKind::badInput);
    QCOMPARE(QString::fromStdString(got.error().where), where);
    QVERIFY2(QString::fromStdString(got.error().text()).contains(says), got.error().text().c_str());
}

/// Whether planning would know that a target of the other protocol cannot carry the body.
inline bool isPeculiar(classify::Dialect dialect, const QByteArray& body) {
    const auto classified = classify::classifyBody(dialect, body.toStdString(), {}, {}, 1);
    return classified && !classified->features.peculiarities.empty();
}

/// A row of a body and what becomes of it.
inline void row(const char* name, const char* body, const char* wanted) { QTest::newRow(name) << QByteArray(body) << QByteArray(wanted); }

inline void translationColumns() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QByteArray>("wanted");
}

inline void refusalColumns() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("says");
}

}  // namespace signalbox::test
