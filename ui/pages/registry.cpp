// SPDX-License-Identifier: MIT
#include "ui/pages/registry.h"

#include "ui/pages/access/access_page.h"
#include "ui/pages/endpoints/endpoints_page.h"
#include "ui/pages/events/events_page.h"
#include "ui/pages/export/export_page.h"
#include "ui/pages/gateway/gateway_page.h"
#include "ui/pages/groups/groups_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/overview/overview_page.h"
#include "ui/pages/presets/presets_page.h"
#include "ui/pages/rules/rules_page.h"
#include "ui/pages/shadow/shadow_page.h"
#include "ui/pages/simulator/simulator_page.h"

namespace signalbox::ui {

template <class T>
static PageEntry entry(PageGroup group) {
    return {group, [](PageContext context, QWidget* parent) -> Page* { return new T(std::move(context), parent); }};
}

// A new page: build it as ui::page_<id> in its folder, link it in this folder's CMakeLists.txt, add its line here.
std::vector<PageEntry> allPages() {
    return {
        entry<OverviewPage>(PageGroup::now),
        entry<EndpointsPage>(PageGroup::now),
        entry<GatewayPage>(PageGroup::now),
        entry<PresetsPage>(PageGroup::policy),
        entry<RulesPage>(PageGroup::policy),
        entry<GroupsPage>(PageGroup::policy),
        entry<AccessPage>(PageGroup::policy),
        entry<SimulatorPage>(PageGroup::policy),
        entry<ShadowPage>(PageGroup::evidence),
        entry<HistoryPage>(PageGroup::evidence),
        entry<EventsPage>(PageGroup::evidence),
        entry<ExportPage>(PageGroup::ship),
    };
}

}  // namespace signalbox::ui
