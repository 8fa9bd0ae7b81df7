// SPDX-License-Identifier: MIT
#include "ui/pages/access/access_facts.h"

#include "ui/theme/format.h"
#include "ui/widgets/fact_list.h"
#include "ui/widgets/tone_text.h"

#include <QCoreApplication>
#include <QProgressBar>

#include <algorithm>

namespace signalbox::ui {
namespace {

struct AccessFactsWords {
    Q_DECLARE_TR_FUNCTIONS(AccessFacts)
};

void addCell(FactList& list, const QString& name, const AccessCell& cell) {
    if (cell.tone) list.addTone(name, *cell.tone, cell.text);
    else list.addText(name, cell.text);
}

QProgressBar* makeBar(double share, const QString& name) {
    auto* bar = new QProgressBar;
    bar->setRange(0, 1000);
    bar->setValue(static_cast<int>(std::clamp(share, 0.0, 1.0) * 1000));
    bar->setTextVisible(false);
    bar->setAccessibleName(name);
    return bar;
}

void addPrincipal(FactList& list, const config::Principal& principal, const AccessFacts& facts) {
    addCell(list, AccessFactsWords::tr("Token"), tokenCell(principal, facts.environment));
    list.addText(AccessFactsWords::tr("May use"), allowedWords(principal));
    const AccessCell spend = spendCell(principal, facts);
    addCell(list, AccessFactsWords::tr("This month"), spend);
    if (spend.share) list.addWidget({}, makeBar(*spend.share, AccessFactsWords::tr("Share of the budget that is spent: %1").arg(spend.text)));
    if (spend.tone) list.addWidget({}, new ToneText(*spend.tone, spend.tip));
    else list.addText({}, spend.tip);
}

void addProvider(FactList& list, const AccessKey& key, const config::Provider& provider, const config::GatewayConfig& config, const AccessFacts& facts) {
    for (const AccessRow& row : accessRows(AccessList::providers, config, facts)) {
        if (row.key != key) continue;
        addCell(list, AccessFactsWords::tr("Host"), row.cells[2]);
        addCell(list, AccessFactsWords::tr("Key"), row.cells[3]);
        addCell(list, AccessFactsWords::tr("Callable"), row.cells[5]);
    }
    for (const std::string& prefix : provider.modelPrefixes) list.addId(AccessFactsWords::tr("Also models"), format::text(prefix) + QLatin1Char('*'));
    if (provider.passthroughUnknownModels) list.addText(AccessFactsWords::tr("Also models"), AccessFactsWords::tr("of any name"));
    for (const auto& [model, can] : provider.modelCapabilities) {
        list.addId(AccessFactsWords::tr("Model"), format::text(model));
        list.addText(AccessFactsWords::tr("can do"), capabilityWords(can));
    }
}

}  // namespace

void fillFacts(FactList& list, const AccessKey& key, const config::GatewayConfig& config, const AccessFacts& facts) {
    list.clear();
    const std::string name = format::utf8(key.name);
    const config::Provider* provider = config.findProvider(name);
    switch (key.list) {
    case AccessList::principals:
        for (const config::Principal& principal : config.principals)
            if (principal.id == name) addPrincipal(list, principal, facts);
        return;
    case AccessList::providers:
        if (provider != nullptr) addProvider(list, key, *provider, config, facts);
        return;
    case AccessList::prices: {
        if (provider == nullptr) return;
        list.addId(AccessFactsWords::tr("Provider"), key.name);
        if (key.model.isEmpty()) list.addText(AccessFactsWords::tr("Model"), AccessFactsWords::tr("every model without a price of its own"));
        const auto own = provider->modelPricing.find(format::utf8(key.model));
        const config::Pricing* price = own != provider->modelPricing.end() ? &own->second : provider->pricing ? &*provider->pricing : nullptr;
        if (price != nullptr) list.addText(AccessFactsWords::tr("Age"), priceAge(*price, facts.now));
        return;
    }
    case AccessList::aliases: break;
    }
    if (key.group.isEmpty()) return;
    list.addId(AccessFactsWords::tr("Name"), key.name);
    list.addId(AccessFactsWords::tr("Group"), key.group);
    list.addText(AccessFactsWords::tr("Kind"), AccessFactsWords::tr("A smart alias: its group chooses among candidates"));
}

QString accessSentence(const config::GatewayConfig& config, const AccessFacts& facts) {
    QStringList parts;
    const auto open = std::count_if(config.principals.begin(), config.principals.end(), isUnrestricted);
    if (config.principals.empty())
        parts << (config.server.auth == config::AuthMode::none ? AccessFactsWords::tr("Everybody who reaches the gateway may send everything: it asks for no token.")
                                                               : AccessFactsWords::tr("Everybody with the gateway's one token may send everything: there are no principals."));
    else
        parts << AccessFactsWords::tr("%n principal(s), %1 of them unrestricted.", nullptr, static_cast<int>(config.principals.size())).arg(open);
    double spent = 0;
    int over = 0;
    bool known = false;
    for (const config::Principal& principal : config.principals) {
        const AccessCell cell = spendCell(principal, facts);
        known = known || cell.sort.toDouble() >= 0;
        spent += std::max(0.0, cell.sort.toDouble());
        over += cell.tone ? 1 : 0;
    }
    if (known) parts << AccessFactsWords::tr("%1 spent this month (estimate).").arg(usd(spent));
    if (over > 0) parts << AccessFactsWords::tr("%n of them over a budget.", nullptr, over);
    const auto rows = accessRows(AccessList::providers, config, facts);
    const auto callable = std::count_if(rows.begin(), rows.end(), [](const AccessRow& row) { return row.cells[5].tone == Tone::clear; });
    const auto priced = std::count_if(config.providers.begin(), config.providers.end(), [](const config::Provider& p) { return p.pricing || !p.modelPricing.empty(); });
    if (!rows.empty()) parts << AccessFactsWords::tr("%1 of %n provider(s) can be called, %2 have a price.", nullptr, static_cast<int>(rows.size())).arg(callable).arg(priced);
    return parts.join(QLatin1Char(' '));
}

}  // namespace signalbox::ui
