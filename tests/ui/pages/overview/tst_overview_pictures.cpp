// SPDX-License-Identifier: MIT
// Pictures of the overview with five weeks behind it: as usual, with a bad hour, one figure opened, a narrow window, and
// without any history.
#include "tests/visual/page_pictures.h"
#include "ui/pages/overview/usual_figure.h"
#include "ui/pages/page.h"
#include "ui/theme/format.h"

#include <QTest>

using namespace signalbox;
using namespace signalbox::ui;
using namespace std::chrono_literals;

class OverviewPicturesTest : public test::PagePictures {
    Q_OBJECT
public:
    OverviewPicturesTest() : PagePictures(QStringLiteral("overview")) {}

protected:
    void prepare() override {
        m_usual = weeks(false);
        m_bad = weeks(true);
    }

private Q_SLOTS:
    void states() {
        begin();
        show(m_usual);
        save(QStringLiteral("usual"));
        show(m_bad);
        save(QStringLiteral("worse"));
        for (auto* figure : window().findChildren<UsualFigure*>())
            if (figure->topic() == UsualTopic::errors) Q_EMIT figure->opened();
        console().settle();
        save(QStringLiteral("opened"));
        window().resize(1100, 720);
        console().settle();
        save(QStringLiteral("narrow"));
        window().resize(1440, 900);
        show(std::make_shared<std::vector<evidence::DecisionRecord>>());
        save(QStringLiteral("empty"));
    }

private:
    using Records = std::shared_ptr<std::vector<evidence::DecisionRecord>>;

    /// The demo's last day, and the same day of the four weeks before; in a bad one an endpoint fails and dawdles now.
    [[nodiscard]] Records weeks(bool bad) const {
        auto all = std::make_shared<std::vector<evidence::DecisionRecord>>();
        const Timestamp now = format::now();
        FastRandom random(11);
        for (int week = 4; week >= 0; --week)
            for (const evidence::DecisionRecord& record : *console().records) {
                if (record.createdAt < now - 26h || random.unit() < 0.1) continue;
                all->push_back(record);
                all->back().createdAt -= week * 168h;
                if (week == 0 && bad && record.team == "support-bot" && !record.attempts.empty()) spoil(all->back(), random);
            }
        return all;
    }
    static void spoil(evidence::DecisionRecord& record, FastRandom& random) {
        if (record.firstContentMs) record.firstContentMs = *record.firstContentMs * 3;
        if (random.unit() > 0.3) return;
        record.outcome = evidence::Outcome::failed;
        record.status = 502;
        record.attempts.back().outcome = evidence::AttemptOutcome::failed;
        record.attempts.back().status = 502;
        record.endpointId.clear();
        record.firstContentMs.reset();
    }
    // A live range of another length and back makes the page ask again, of everything.
    void show(const Records& records) {
        console().target->setHistory(records);
        look();
        auto* view = window().findChild<ViewState*>();
        view->setLive(std::chrono::hours(1));
        console().settle();
        view->setLive(std::chrono::hours(24));
        console().settle();
    }

    Records m_usual, m_bad;
};

QTEST_MAIN(OverviewPicturesTest)
#include "tst_overview_pictures.moc"
