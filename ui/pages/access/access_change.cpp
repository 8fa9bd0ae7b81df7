// SPDX-License-Identifier: MIT
// The part of the page that adds, duplicates and deletes.
#include "ui/document/policy_document.h"
#include "ui/pages/access/access_fields.h"
#include "ui/pages/access/access_page.h"
#include "ui/theme/format.h"

#include <algorithm>

namespace signalbox::ui {

static std::string textOf(const NewEntryForm::Values& values, const char* key) {
    const auto at = values.find(key);
    const auto* text = at != values.end() && at->second ? std::get_if<std::string>(&*at->second) : nullptr;
    return text != nullptr ? *text : std::string();
}

static QString newTitle(AccessList list) {
    switch (list) {
    case AccessList::principals: return AccessPage::tr("New principal");
    case AccessList::prices: return AccessPage::tr("New price");
    case AccessList::providers:
    case AccessList::aliases: break;
    }
    return AccessPage::tr("New alias");
}

static QString newNote(AccessList list) {
    switch (list) {
    case AccessList::principals:
        return AccessPage::tr("Somebody who sends, with a token of their own. It may use everything until you restrict it.");
    case AccessList::prices:
        return AccessPage::tr("What tokens of a model cost at a provider. Without a model it holds for all that have no price of their own.");
    case AccessList::providers:
    case AccessList::aliases: break;
    }
    return AccessPage::tr("Another name for an endpoint, a preset or a model. Smart aliases are made on the page Groups.");
}

void AccessPage::add() { offerNew(currentList(), {}); }

void AccessPage::offerNew(AccessList list, const NewEntryForm::Values& start) {
    const auto known = config();
    if (!known) return;
    auto* form = new NewEntryForm(newNote(list), newFields(list, *known), tr("Add to the draft"));
    for (const auto& [key, value] : start) form->prefill(key, value);
    connect(form, &NewEntryForm::submitted, this, [this, list, form](const NewEntryForm::Values& values) { create(list, values, form); });
    m_shown.reset();
    m_form.clear();
    m_facts.clear();
    m_sheet = form;
    m_context.inspect(form, newTitle(list));
    form->takeFocus();
}

/// The text edit that makes what the form holds; an error names its field.
static Result<ConfigEdit> editOf(AccessList list, const NewEntryForm::Values& values, const config::GatewayConfig& config) {
    const auto missing = [](const char* field, const QString& message) { return fail(ErrorKind::badInput, format::utf8(message), std::string("new.") + field); };
    const std::string name = textOf(values, "name");
    config::Members members;
    const auto take = [&](const char* key) {
        if (const auto at = values.find(key); at != values.end() && at->second) members.push_back({key, *at->second});
    };
    if (list == AccessList::prices) {
        const std::string provider = textOf(values, "provider"), model = textOf(values, "model");
        if (provider.empty()) return missing("provider", AccessPage::tr("A price belongs to a provider"));
        for (const char* key : {"input_per_million", "output_per_million"})
            if (!values.at(key)) return missing(key, AccessPage::tr("This rate is needed; write 0 if it costs nothing"));
        for (const char* key : {"input_per_million", "output_per_million", "effective_at", "source"}) take(key);
        const AccessKey key{list, format::text(provider), format::text(model), {}};
        return ConfigEdit([path = pathOf(key), members](std::string_view text) { return config::addTable(text, path, members); });
    }
    if (name.empty()) return missing("name", AccessPage::tr("A name is needed"));
    if (list == AccessList::aliases) {
        const std::string target = textOf(values, "target");
        if (target.empty()) return missing("target", AccessPage::tr("An alias leads somewhere"));
        return addAlias(config, name, target);
    }
    take("team");
    take("token_env");
    return ConfigEdit([name, members](std::string_view text) { return config::addTable(text, {"principals", name}, members); });
}

void AccessPage::create(AccessList list, const NewEntryForm::Values& values, NewEntryForm* form) {
    const auto known = config();
    if (!known) return;
    auto edit = editOf(list, values, *known);
    if (!edit) return form->refuse(edit.error());
    AccessKey key{list, format::text(textOf(values, "name")), {}, {}};
    if (list == AccessList::prices) key = {list, format::text(textOf(values, "provider")), format::text(textOf(values, "model")), {}};
    m_wanted = key;
    const QPointer<NewEntryForm> alive(form);
    const auto done = m_context.document->editConfig(tr("new %1").arg(key.model.isEmpty() ? key.name : key.model), *edit);
    if (done) return;
    m_wanted.reset();
    if (alive) form->refuse(done.error());
}

void AccessPage::duplicate() {
    const auto known = config();
    const AccessKey* current = currentKey();
    if (!known || current == nullptr) return;
    const AccessKey key = *current;
    const std::string name = format::utf8(key.name);
    if (key.list == AccessList::prices) {
        const config::Provider* provider = known->findProvider(name);
        const auto price = provider != nullptr ? provider->pricingOf(format::utf8(key.model)) : std::nullopt;
        if (!price) return;
        NewEntryForm::Values start{{"provider", name}, {"input_per_million", price->inputPerMillion}, {"output_per_million", price->outputPerMillion}};
        if (price->effectiveAt) start["effective_at"] = *price->effectiveAt;
        if (price->source) start["source"] = *price->source;
        return offerNew(key.list, start);
    }
    ConfigEdit edit;
    std::string copy;
    if (key.list == AccessList::aliases) {
        copy = freeName(name, [&](const std::string& taken) { return known->aliases.contains(taken) || known->findGroupByAlias(taken) != nullptr; });
        edit = addAlias(*known, copy, known->aliases.at(name));
    } else {
        const auto at = std::find_if(known->principals.begin(), known->principals.end(), [&](const config::Principal& p) { return p.id == name; });
        if (at == known->principals.end()) return;
        copy = freeName(name, [&](const std::string& taken) {
            return std::any_of(known->principals.begin(), known->principals.end(), [&](const config::Principal& p) { return p.id == taken; });
        });
        edit = copyPrincipal(*at, copy);
    }
    m_wanted = AccessKey{key.list, format::text(copy), {}, {}};
    if (const auto done = m_context.document->editConfig(tr("copy of %1").arg(key.name), edit); !done) {
        m_wanted.reset();
        m_context.complain(done.error());
    }
}

void AccessPage::remove() {
    const AccessKey* current = currentKey();
    if (current == nullptr) return;
    const AccessKey key = *current;
    const auto done = m_context.document->editConfig(tr("deletion of %1").arg(key.model.isEmpty() ? key.name : key.model), removeRow(key));
    if (!done) return m_context.complain(done.error());
    m_context.say(tr("Deleted %1 from the draft; undo brings it back.").arg(key.model.isEmpty() ? key.name : key.model));
}

}  // namespace signalbox::ui
