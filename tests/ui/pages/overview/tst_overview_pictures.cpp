// SPDX-License-Identifier: MIT
// Pictures of the overview with five weeks behind it: as usual, with a bad hour, one figure opened, a narrow window, and
// without any history.
#include "tests/visual/page_pictures.h"
#include "ui/pages/overview/usual_figure.h"
#include "ui/pages/page.h"
#include "ui/pages/start_here.h"
#include "ui/theme/format.h"
#include "ui/widgets/tone_label.h"

#include <QTest>

#include <algorithm>

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
        console().target->setEndpoints(notServing());
        show(m_bad);
        QTRY_VERIFY(shows(QStringLiteral("is cooling")));
        console().settle();
        save(QStringLiteral("not-serving"));
        console().target->setEndpoints({});
        for (auto* figure : window().findChildren<UsualFigure*>())
            if (figure->topic() == UsualTopic::errors) Q_EMIT figure->opened();
        console().settle();
        save(QStringLiteral("opened"));
        window().resize(1100, 720);
        console().settle();
        save(QStringLiteral("narrow"));
        window().resize(1440, 900);
        show(longNames());
        for (auto* figure : window().findChildren<UsualFigure*>())
            if (figure->topic() == UsualTopic::errors) Q_EMIT figure->opened();
        console().settle();
        save(QStringLiteral("long-names"));
        auto* start = window().findChild<StartHere*>();
        start->seePage(QStringLiteral("endpoints"));
        start->setShown(true);
        console().settle();
        save(QStringLiteral("start"));
        start->setShown(false);
        show(std::make_shared<std::vector<evidence::DecisionRecord>>());
        save(QStringLiteral("empty"));
        console().target->setKnownLists({.endpoints = false});
        QTRY_VERIFY(!console().bridge->knowsEndpoints());
        console().settle();
        save(QStringLiteral("not-told"));
        console().target->setKnownLists({});
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
    /// As usual, but of endpoints that nothing shorter than their whole names tells apart.
    [[nodiscard]] Records longNames() const {
        auto all = std::make_shared<std::vector<evidence::DecisionRecord>>(*m_usual);
        const std::string begin = "research-cluster:qwen3.6-35b-a3b-", end = "-instruct-gptq-int4-128k";
        const auto rename = [&](std::string& endpoint) {
            if (endpoint.starts_with("lab_a")) endpoint = begin + "chat-tuned-february" + end;
            else if (endpoint.starts_with("lab_b")) endpoint = begin + "chat-tuned-december" + end;
        };
        for (evidence::DecisionRecord& record : *all) {
            rename(record.endpointId);
            for (auto& attempt : record.attempts) rename(attempt.endpointId);
        }
        return all;
    }
    /// One that cools, one that is drained, and one without its key.
    static std::vector<engine::EndpointHealth> notServing() {
        std::vector<engine::EndpointHealth> out(3);
        out[0].endpointId = "deepseek:deepseek-v4-flash";
        out[0].circuit = "open";
        out[0].cause = "rate_limited";
        out[0].coolsFor = 29s;
        out[1].endpointId = "lab_a:gemma-4-26b";
        out[1].drained = true;
        out[2].endpointId = "lab_b:qwen3.5-9b";
        out[2].credentialReady = false;
        out[2].lacks = "api_key_env";
        return out;
    }
    [[nodiscard]] bool shows(const QString& words) const {
        const auto labels = window().findChildren<ToneLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const ToneLabel* label) { return label->isVisible() && label->text().contains(words); });
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
