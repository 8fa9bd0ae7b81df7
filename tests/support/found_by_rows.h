// SPDX-License-Identifier: MIT
#pragma once

#include "router/classify/features.h"

#include <QString>
#include <QTest>

namespace signalbox::test {

/// Rows of `by` (a FoundBy) and `words`: where a feature of a request comes from, in words that the console's receipts and
/// `signalboxctl decide --explain` share.
inline void foundByRows() {
    QTest::addColumn<int>("by");
    QTest::addColumn<QString>("words");
    const auto row = [](classify::FoundBy by, const char* words) { QTest::newRow(words) << static_cast<int>(by) << QString::fromLatin1(words); };
    row(classify::FoundBy::header, "set by the client in a request header");
    row(classify::FoundBy::metadata, "set by the client in the body's metadata");
    row(classify::FoundBy::principal, "the principal's default");
    row(classify::FoundBy::body, "read from the body");
    row(classify::FoundBy::estimate, "estimated from the text");
    row(classify::FoundBy::fallback, "assumed, because the request does not say");
}

}  // namespace signalbox::test
