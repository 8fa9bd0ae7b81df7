// SPDX-License-Identifier: MIT
#include "router/upstream/connection_cache.h"

#include "tests/support/run_coroutine.h"
#include "tests/support/scripted_upstream.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::test;
using namespace signalbox::upstream;
using namespace std::chrono_literals;

class TestConnectionCache : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theNewestIsTakenFirst();
    void whatNobodyCallsAnyMoreIsClosed();

private:
    std::unique_ptr<Connection> connect();
    void keep(const std::string& key, Steady now);

    boost::asio::io_context m_context{1};
    ScriptedUpstream m_upstream;
    Steady m_now = std::chrono::steady_clock::now();
};

std::unique_ptr<Connection> TestConnectionCache::connect() {
    Origin origin;
    origin.host = "127.0.0.1";
    origin.port = m_upstream.port();
    Deadline deadline(m_context.get_executor(), Steady::max());
    auto opened = runCoroutine(m_context, Connection::open(origin, nullptr, deadline));
    return opened ? std::move(*opened) : nullptr;
}

void TestConnectionCache::keep(const std::string& key, Steady now) {
    auto connection = connect();
    QVERIFY(connection);
    keepIdle(m_context.get_executor(), key, std::move(connection), now);
}

void TestConnectionCache::theNewestIsTakenFirst() {
    auto first = connect(), second = connect();
    const Connection* const newest = second.get();
    keepIdle(m_context.get_executor(), "a", std::move(first), m_now);
    keepIdle(m_context.get_executor(), "a", std::move(second), m_now);
    QVERIFY(takeIdle(m_context.get_executor(), "b") == nullptr);
    const auto taken = takeIdle(m_context.get_executor(), "a");
    QVERIFY(taken.get() == newest);
    QVERIFY(takeIdle(m_context.get_executor(), "a") != nullptr);
    QVERIFY(takeIdle(m_context.get_executor(), "a") == nullptr);
    QTRY_COMPARE(m_upstream.openConnections(), std::size_t{1});
}

// Its server closed it long ago: our end must not stay open until somebody calls that origin again.
void TestConnectionCache::whatNobodyCallsAnyMoreIsClosed() {
    QTRY_COMPARE(m_upstream.openConnections(), std::size_t{0});
    keep("gone", m_now);
    keep("gone", m_now + 10s);
    QTRY_COMPARE(m_upstream.openConnections(), std::size_t{2});
    keep("used", m_now + 55s);
    QTRY_COMPARE(m_upstream.openConnections(), std::size_t{2});
    keep("used", m_now + 65s);
    QTRY_COMPARE(m_upstream.openConnections(), std::size_t{2});
    QVERIFY(takeIdle(m_context.get_executor(), "gone", false) == nullptr);
}

QTEST_GUILESS_MAIN(TestConnectionCache)
#include "tst_connection_cache.moc"
