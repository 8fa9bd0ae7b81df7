// SPDX-License-Identifier: MIT
// Pictures of the events of a day: what people did, one of it opened, everything, and one person's in a small window.
#include "tests/router/evidence/sample_events.h"
#include "tests/visual/page_pictures.h"
#include "ui/pages/page.h"
#include "ui/theme/format.h"
#include "ui/widgets/table_view.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;
using evidence::EventKind;

class EventsPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    EventsPicturesTest() : PagePictures(QStringLiteral("events")) {}

protected:
    void prepare() override {
        const std::string hash = "3f2a" + std::string(60, '7');
        console().target->setEvents({
            happened(23h, EventKind::start, hash, "operator:signalbox@ops-1", "Serving policy 3f2a77777777, smart routing in shadow."),
            happened(20h, EventKind::circuitOpened, "deepseek:deepseek-v4-flash", "gateway", "It gets no attempts for 30 s: 3 calls in a row failed."),
            happened(19h, EventKind::circuitClosed, "deepseek:deepseek-v4-flash", "gateway", "A probe was answered."),
            happened(9h, EventKind::drain, "lab_a:gemma-4-26b", "operator:ada@ops-1", "It gets no new attempts; what is in flight finishes."),
            happened(8h, EventKind::note, "", "operator:ada@ops-1", "New driver on lab_a, see ticket 4711."),
            happened(7h, EventKind::undrain, "lab_a:gemma-4-26b", "operator:ada@ops-1", "It may get attempts again."),
            happened(3h, EventKind::apply, hash, "operator:bob@review-2", "Policy 3f2a77777777 in place of 1c0d5b2e9a11, signed by Ops Ola."),
            happened(3h, EventKind::mode, "active", "operator:bob@review-2", "Smart routing active for 20 % of the requests; it was in shadow."),
            happened(40min, EventKind::killSwitch, "on", "operator", "Smart routing is held at off."),
            happened(35min, EventKind::killSwitch, "off", "operator", "The policy decides again."),
        });
    }

private Q_SLOTS:
    void states() {
        begin();
        look({{QStringLiteral("kinds"), QStringLiteral("acts")}});
        auto* table = window().findChild<TableView*>(QStringLiteral("eventsTable"));
        QTRY_COMPARE(table->model()->rowCount(), 8);
        console().settle();
        save(QStringLiteral("acts"));
        table->selectSourceRow(3);
        console().settle();
        save(QStringLiteral("opened"));
        look({{QStringLiteral("kinds"), QStringLiteral("all")}});
        QTRY_COMPARE(table->model()->rowCount(), 10);
        console().settle();
        save(QStringLiteral("all"));
        window().resize(1000, 650);
        look({{QStringLiteral("kinds"), QStringLiteral("all")}, {QStringLiteral("by"), QStringLiteral("operator:ada@ops-1")}, {QStringLiteral("subject"), QStringLiteral("lab_a:gemma-4-26b")}});
        QTRY_COMPARE(table->model()->rowCount(), 2);
        console().settle();
        save(QStringLiteral("one-person"));
    }

private:
    static evidence::Event happened(std::chrono::minutes ago, EventKind kind, const std::string& subject, const char* actor, const char* words) {
        static std::uint64_t n = 0;
        evidence::Event made = test::sampleEvent(format::now() - ago, ++n);
        made.kind = kind;
        made.subject = subject;
        made.actor = actor;
        made.words = words;
        made.target = "prod-a";
        made.environment = "production";
        made.policyHash = "3f2a" + std::string(60, '7');
        return made;
    }
};

QTEST_MAIN(EventsPicturesTest)
#include "tst_events_pictures.moc"
