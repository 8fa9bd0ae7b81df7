// SPDX-License-Identifier: MIT
// A client's socket: what comes, what came already, and that a client which leaves is noticed.
#include "router/gateway/connection.h"

#include "tests/support/run_coroutine.h"

#include <QTest>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <poll.h>

using namespace signalbox::gateway;
using namespace signalbox::test;
using namespace std::chrono_literals;
using tcp = asio::ip::tcp;

namespace {

/// Two ends of one connection over loopback; the near one is the gateway's.
struct Client {
    Client() : far(context) {
        tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
        far.connect(acceptor.local_endpoint());
        Socket near(context.get_executor());
        acceptor.accept(near);
        descriptor = near.native_handle();
        connection = std::make_shared<Connection>(std::move(near), wheel);
    }
    void send(std::string_view text) { asio::write(far, asio::buffer(text)); }
    void resetConnection() {
        far.set_option(asio::socket_base::linger(true, 0));
        far.close();
        pollfd reset{descriptor, 0, 0}; // an error is always told
        QVERIFY(::poll(&reset, 1, 10'000) == 1 && (reset.revents & POLLERR) != 0);
    }
    bool read() { return runCoroutine(context, connection->readMore(10s)); }

    asio::io_context context{1};
    DeadlineWheel wheel{context};
    tcp::socket far;
    int descriptor = -1;
    std::shared_ptr<Connection> connection;
};

} // namespace

class ConnectionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatComesIsReadInTurn();
    void aResetThatCameWithBytesIsSeen();
    void oneThatWaitsIsWoken();
};

void ConnectionTest::whatComesIsReadInTurn() {
    Client client;
    std::string sent;
    for (int i = 0; i < 20; ++i) {
        client.send(std::string(static_cast<std::size_t>(1 + i * 997), static_cast<char>('a' + i)));
        sent += std::string(static_cast<std::size_t>(1 + i * 997), static_cast<char>('a' + i));
        while (client.connection->buffered().size() < sent.size())
            QVERIFY(client.read());
    }
    QVERIFY(client.connection->buffered() == sent);
    client.far.shutdown(tcp::socket::shutdown_send);
    QVERIFY(!client.read() && !client.connection->timedOut());
}

// Nothing would tell of it again, and the rest of the request would be waited for in vain.
void ConnectionTest::aResetThatCameWithBytesIsSeen() {
    Client client;
    client.send("POST /v1/chat");
    QVERIFY(client.read());
    client.send("/completions");
    client.resetConnection();
    QVERIFY(client.read());
    QVERIFY(client.connection->buffered() == "POST /v1/chat/completions");
    QVERIFY(!client.read());
    QVERIFY(!client.connection->timedOut());
}

void ConnectionTest::oneThatWaitsIsWoken() {
    Client client;
    asio::post(client.context, [&] { client.send("late"); });
    QVERIFY(client.read());
    QVERIFY(client.connection->buffered() == "late");
}

QTEST_APPLESS_MAIN(ConnectionTest)
#include "tst_connection.moc"
