// SPDX-License-Identifier: MIT
#include "app/ctl/history_source.h"
#include "router/base/text.h"

#include <algorithm>
#include <ostream>

namespace signalbox::ctl {
namespace {

constexpr std::size_t kEventPageRows = 500;

Result<evidence::EventKey> parseEventKey(const std::string& text) {
    const auto comma = text.find(',');
    const auto at = parseIso8601(text.substr(0, comma));
    const auto id = comma == std::string::npos ? std::nullopt : evidence::EventId::parse(text.substr(comma + 1));
    if (!at || !id)
        return fail(ErrorKind::badInput, "\"" + text + "\" is not the key of a page of events", "--after",
                    "Use what the page before printed at its end.");
    return evidence::EventKey{*at, *id};
}

/// `circuit_opened,circuit_closed`
Result<std::vector<evidence::EventKind>> parseKinds(const std::string& text) {
    std::vector<evidence::EventKind> kinds;
    for (std::size_t at = 0; at < text.size();) {
        const auto comma = std::min(text.find(',', at), text.size());
        const std::string word = text.substr(at, comma - at);
        const auto kind = evidence::parseEventKind(word);
        std::string known;
        for (const auto one : evidence::kEventKinds) known += (known.empty() ? "" : ", ") + std::string(toString(one));
        if (!kind) return fail(ErrorKind::badInput, "\"" + word + "\" is not a kind of event", "--kind", "Use some of " + known + ".");
        kinds.push_back(*kind);
        at = comma + 1;
    }
    return kinds;
}

void printEvent(std::ostream& out, const evidence::Event& event) {
    const auto orDash = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
    std::string subject = event.subject;
    if (subject == event.policyHash && subject.size() > 12) subject.resize(12);
    out << toIso8601(event.createdAt).substr(0, 23) << "Z  " << orDash(event.target) << "  " << toString(event.kind) << "  "
        << orDash(subject) << "  by " << orDash(event.actor) << "  " << event.words << '\n';
}

}  // namespace

int listEvents(const HistoryOptions& options, Context& context) {
    evidence::EventFilter filter;
    const auto range = historyRange(options, context.clock.now());
    if (!range) return reportUsage(context, range.error().text());
    filter.range = *range;
    auto kinds = parseKinds(options.kinds);
    if (!kinds) return reportUsage(context, kinds.error().text());
    filter.kinds = std::move(*kinds);
    if (!options.endpoint.empty()) filter.subject = options.endpoint;
    std::optional<evidence::EventKey> key;
    if (!options.after.empty()) {
        auto parsed = parseEventKey(options.after);
        if (!parsed) return reportUsage(context, parsed.error().text());
        key = *parsed;
    }
    if (context.errIsTerminal) context.err << "Opening the history…" << std::endl;
    const auto reader = openHistoryOf(options, context);
    if (!reader) return report(context, reader.error());

    const auto cancel = std::make_shared<std::atomic<bool>>(false);
    std::size_t printed = 0;
    while (printed < options.limit) {
        const auto page = (*reader)->events(filter, key, std::min(kEventPageRows, options.limit - printed), cancel);
        if (!page) return report(context, page.error());
        for (const auto& event : page->rows) {
            if (options.json) context.out << evidence::encodeEvent(event) << '\n';
            else printEvent(context.out, event);
        }
        printed += page->rows.size();
        key = page->next;
        if (!key) break;
    }
    if (printed == 0) context.err << "No event matches.\n";
    else if (key) context.err << "More: --after " << toIso8601(key->createdAt) << ',' << key->id.text() << '\n';
    return kOk;
}

}  // namespace signalbox::ctl
