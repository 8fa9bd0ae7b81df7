// SPDX-License-Identifier: MIT
// A read that knows when nothing is left must miss neither what comes later nor the peer's end.
#include "router/upstream/drained_read.h"

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <QTest>
#include <string>

using namespace signalbox::upstream;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

namespace {

/// Two ends of one connection over loopback.
struct Pair {
    Pair() : near(context), far(context) {
        tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
        far.connect(acceptor.local_endpoint());
        acceptor.accept(near);
        near.non_blocking(true);
        reportWhatIsLeft(near.native_handle());
    }
    void send(std::string_view text) { asio::write(far, asio::buffer(text)); }
    void finish() { far.shutdown(tcp::socket::shutdown_send); }
    /// Waits until the near end has something to read, which the kernel says by itself.
    void arrive() { near.wait(tcp::socket::wait_read); }
    Drained read() { return drainedRead(near.native_handle(), asio::buffer(room)); }

    asio::io_context context{1};
    tcp::socket near, far;
    std::array<char, 64> room{};
};

/// Reads to the end through the reactor, as a connection does.
struct Reader {
    explicit Reader(Pair& of) : pair(of) { next(); }
    void next() {
        pair.near.async_read_some(DrainedInto(asio::buffer(pair.room)), [this](const boost::system::error_code& ec, std::size_t bytes) {
            got.append(pair.room.data(), bytes);
            if (ec) ended = ec;
            else next();
        });
    }
    /// Until so much has come, or the end.
    void until(std::size_t bytes) {
        while (got.size() < bytes && !ended && pair.context.run_one() > 0) continue;
    }
    Pair& pair;
    std::string got;
    boost::system::error_code ended;
};

}  // namespace

class TestDrainedRead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingHasCome();
    void allThatCame();
    void moreThanFits();
    void endBehindTheBytes();
    void endAlone();
    void laterBytesAreSeen();
    void bytesAndEndAtOnce();
    void reset();
};

void TestDrainedRead::nothingHasCome() {
    Pair pair;
    QVERIFY(pair.read().mustWait);
}

void TestDrainedRead::allThatCame() {
    Pair pair;
    pair.send("hello");
    pair.arrive();
    const Drained got = pair.read();
    QCOMPARE(got.bytes, std::size_t{5});
    QVERIFY(!got.error && got.nothingLeft);
}

void TestDrainedRead::moreThanFits() {
    Pair pair;
    pair.send(std::string(100, 'x'));
    pair.arrive();
    const Drained first = pair.read();
    QCOMPARE(first.bytes, pair.room.size());
    QVERIFY(!first.nothingLeft);
    const Drained rest = pair.read();
    QCOMPARE(rest.bytes, 100 - pair.room.size());
    QVERIFY(rest.nothingLeft);
}

void TestDrainedRead::endBehindTheBytes() {
    Pair pair;
    pair.send("bye");
    pair.finish();
    pair.arrive();
    // The end may arrive a moment after the bytes, but once it has, no read says that nothing is left.
    Drained got = pair.read();
    QCOMPARE(got.bytes, std::size_t{3});
    if (got.nothingLeft) pair.arrive();
    got = pair.read();
    QVERIFY(got.error == asio::error::eof);
    QVERIFY(!got.nothingLeft);
}

void TestDrainedRead::endAlone() {
    Pair pair;
    pair.finish();
    pair.arrive();
    QVERIFY(pair.read().error == asio::error::eof);
    QVERIFY(pair.read().error == asio::error::eof);
}

void TestDrainedRead::laterBytesAreSeen() {
    Pair pair;
    Reader reader(pair);
    std::string sent;
    for (int i = 0; i < 50; ++i) {
        const std::string piece(static_cast<std::size_t>(1 + i * 7), static_cast<char>('a' + i % 26));
        pair.send(piece);
        sent += piece;
        reader.until(sent.size());
        QCOMPARE(reader.got, sent);
    }
    pair.finish();
    reader.until(sent.size() + 1);
    QVERIFY(reader.ended == asio::error::eof);
}

void TestDrainedRead::bytesAndEndAtOnce() {
    for (int i = 0; i < 50; ++i) {
        Pair pair;
        Reader reader(pair);
        pair.send(std::string(static_cast<std::size_t>(i) * 5, 'x'));
        pair.finish();
        reader.until(1000);
        QCOMPARE(reader.got.size(), static_cast<std::size_t>(i) * 5);
        QVERIFY(reader.ended == asio::error::eof);
    }
}

void TestDrainedRead::reset() {
    Pair pair;
    Reader reader(pair);
    pair.far.set_option(asio::socket_base::linger(true, 0));
    pair.far.close();
    reader.until(1);
    QVERIFY(reader.ended == asio::error::connection_reset);
}

QTEST_APPLESS_MAIN(TestDrainedRead)
#include "tst_drained_read.moc"
