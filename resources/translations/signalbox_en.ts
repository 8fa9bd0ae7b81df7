<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>AccessFacts</name>
    <message numerus="yes">
        <source>%1 of %n provider(s) can be called, %2 have a price.</source>
        <translation>
            <numerusform>%1 of %n provider can be called, %2 have a price.</numerusform>
            <numerusform>%1 of %n providers can be called, %2 have a price.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them over a budget.</source>
        <translation>
            <numerusform>%n of them over a budget.</numerusform>
            <numerusform>%n of them over a budget.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n principal(s), %1 of them unrestricted.</source>
        <translation>
            <numerusform>%n principal, %1 of them unrestricted.</numerusform>
            <numerusform>%n principals, %1 of them unrestricted.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>AccessRows</name>
    <message numerus="yes">
        <source>%n day(s) old</source>
        <translation>
            <numerusform>%n day old</numerusform>
            <numerusform>%n days old</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n group(s)</source>
        <translation>
            <numerusform>%n group</numerusform>
            <numerusform>%n groups</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n month(s) old</source>
        <translation>
            <numerusform>%n month old</numerusform>
            <numerusform>%n months old</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n provider(s)</source>
        <translation>
            <numerusform>%n provider</numerusform>
            <numerusform>%n providers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) in this minute</source>
        <translation>
            <numerusform>%n request in this minute</numerusform>
            <numerusform>%n requests in this minute</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>group %1, %n candidate(s)</source>
        <translation>
            <numerusform>group %1, %n candidate</numerusform>
            <numerusform>group %1, %n candidates</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Attention</name>
    <message numerus="yes">
        <source>%n request(s) failed</source>
        <translation>
            <numerusform>%n request failed</numerusform>
            <numerusform>%n requests failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) hit a declared gap</source>
        <translation>
            <numerusform>%n request hit a declared gap</numerusform>
            <numerusform>%n requests hit a declared gap</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) refused: %1</source>
        <translation>
            <numerusform>%n request refused: %1</numerusform>
            <numerusform>%n requests refused: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n endpoint(s) cannot be called</source>
        <translation>
            <numerusform>%n endpoint cannot be called</numerusform>
            <numerusform>%n endpoints cannot be called</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n endpoint(s) are cooling</source>
        <translation>
            <numerusform>%n endpoint is cooling</numerusform>
            <numerusform>%n endpoints are cooling</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n endpoint(s) are probing</source>
        <translation>
            <numerusform>%n endpoint is probing</numerusform>
            <numerusform>%n endpoints are probing</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n endpoint(s) are drained</source>
        <translation>
            <numerusform>%n endpoint is drained</numerusform>
            <numerusform>%n endpoints are drained</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CandidateRows</name>
    <message numerus="yes">
        <source>%n failure(s)</source>
        <translation>
            <numerusform>%n failure</numerusform>
            <numerusform>%n failures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1; in effect since %2, %n day(s) ago</source>
        <translation>
            <numerusform>%1; in effect since %2, %n day ago</numerusform>
            <numerusform>%1; in effect since %2, %n days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of %n tool call(s) could be checked.</source>
        <translation>
            <numerusform>None of %n tool call could be checked.</numerusform>
            <numerusform>None of %n tool calls could be checked.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>CandidateSheet</name>
    <message numerus="yes">
        <source>%1 over %n call(s)</source>
        <translation>
            <numerusform>%1 over %n call</numerusform>
            <numerusform>%1 over %n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>cooling in %n decision(s)</source>
        <translation>
            <numerusform>cooling in %n decision</numerusform>
            <numerusform>cooling in %n decisions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 USD a call over %n call(s)</source>
        <translation>
            <numerusform>%1 USD a call over %n call</numerusform>
            <numerusform>%1 USD a call over %n calls</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n time(s) since the start</source>
        <translation>
            <numerusform>%n time since the start</numerusform>
            <numerusform>%n times since the start</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EndpointActions</name>
    <message numerus="yes">
        <source>%n request(s) in flight there will finish.</source>
        <translation>
            <numerusform>%n request in flight there will finish.</numerusform>
            <numerusform>%n requests in flight there will finish.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EndpointWords</name>
    <message numerus="yes">
        <source>All %n endpoint(s) serve.</source>
        <translation>
            <numerusform>The one endpoint serves.</numerusform>
            <numerusform>All %n endpoints serve.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, and %n more.</source>
        <translation>
            <numerusform>, and %n more.</numerusform>
            <numerusform>, and %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FamilyView</name>
    <message numerus="yes">
        <source>%1 hit(s)</source>
        <translation>
            <numerusform>%1 hit</numerusform>
            <numerusform>%1 hits</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>GroupWords</name>
    <message numerus="yes">
        <source>%n candidate(s)</source>
        <translation>
            <numerusform>%n candidate</numerusform>
            <numerusform>%n candidates</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>None of the %n candidate(s) had the %1 real calls that a prior is held against, in the last %2.</source>
        <translation>
            <numerusform>The only candidate did not have the %1 real calls that a prior is held against, in the last %2.</numerusform>
            <numerusform>None of the %n candidates had the %1 real calls that a prior is held against, in the last %2.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>of the %n candidate(s) with enough calls in the last %1</source>
        <translation>
            <numerusform>of the %n candidate with enough calls in the last %1</numerusform>
            <numerusform>of the %n candidates with enough calls in the last %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RulesInspector</name>
    <message numerus="yes">
        <source>%1, %n day(s) ago</source>
        <translation>
            <numerusform>%1, %n day ago</numerusform>
            <numerusform>%1, %n days ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SimulatorPath</name>
    <message numerus="yes">
        <source>%n in flight, this one included</source>
        <translation>
            <numerusform>%n in flight, this one included</numerusform>
            <numerusform>%n in flight, this one included</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tool(s)</source>
        <translation>
            <numerusform>%n tool</numerusform>
            <numerusform>%n tools</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Topology</name>
    <message numerus="yes">
        <source>Model %1, served by a router over %n endpoint(s).</source>
        <translation>
            <numerusform>Model %1, served by a router over %n endpoint.</numerusform>
            <numerusform>Model %1, served by a router over %n endpoints.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with an endpoint</source>
        <translation>
            <numerusform>%n with an endpoint</numerusform>
            <numerusform>%n with an endpoint</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Usual</name>
    <message numerus="yes">
        <source>Nothing is worse than at this time of the last %n week(s).</source>
        <translation>
            <numerusform>Nothing is worse than at this time of the last week.</numerusform>
            <numerusform>Nothing is worse than at this time of the last %n weeks.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>no usual yet: %n day(s) of history</source>
        <translation>
            <numerusform>no usual yet: %n day of history</numerusform>
            <numerusform>no usual yet: %n days of history</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::ChangesView</name>
    <message numerus="yes">
        <source>%n step(s) since the files were read or saved, newest first</source>
        <translation>
            <numerusform>%n step since the files were read or saved, newest first</numerusform>
            <numerusform>%n steps since the files were read or saved, newest first</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::CoverageModel</name>
    <message numerus="yes">
        <source>; %n request(s)</source>
        <translation>
            <numerusform>; %n request</numerusform>
            <numerusform>; %n requests</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::DifferenceView</name>
    <message numerus="yes">
        <source>An apply changes %n thing(s) of what %1 runs.</source>
        <translation>
            <numerusform>An apply changes %n thing of what %1 runs.</numerusform>
            <numerusform>An apply changes %n things of what %1 runs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::DraftControl</name>
    <message numerus="yes">
        <source>%n change(s) of %1 are not saved.</source>
        <translation>
            <numerusform>%n change of %1 is not saved.</numerusform>
            <numerusform>%n changes of %1 are not saved.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::EndpointSheet</name>
    <message numerus="yes">
        <source>%n time(s) since the start, failed probes included</source>
        <translation>
            <numerusform>%n time since the start, failed probes included</numerusform>
            <numerusform>%n times since the start, failed probes included</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::EventsPage</name>
    <message numerus="yes">
        <source>%n change(s) of circuits in %1.</source>
        <translation>
            <numerusform>%n change of circuits in %1.</numerusform>
            <numerusform>%n changes of circuits in %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::ExportContents</name>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n finding</numerusform>
            <numerusform>%n findings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n advisory(ies)</source>
        <translation>
            <numerusform>%n advisory</numerusform>
            <numerusform>%n advisories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preset(s)</source>
        <translation>
            <numerusform>%n preset</numerusform>
            <numerusform>%n presets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rule(s)</source>
        <translation>
            <numerusform>%n rule</numerusform>
            <numerusform>%n rules</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n declared gap(s)</source>
        <translation>
            <numerusform>%n declared gap</numerusform>
            <numerusform>%n declared gaps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::GapForm</name>
    <message numerus="yes">
        <source>Names %n cell(s): %1</source>
        <translation>
            <numerusform>Names %n cell: %1</numerusform>
            <numerusform>Names %n cells: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::GatewayControl</name>
    <message numerus="yes">
        <source>The draft as shown, with %n unsaved change(s), takes the next requests; requests in flight finish on the old policy</source>
        <translation>
            <numerusform>The draft as shown, with %n unsaved change, takes the next requests; requests in flight finish on the old policy</numerusform>
            <numerusform>The draft as shown, with %n unsaved changes, takes the next requests; requests in flight finish on the old policy</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) in flight will finish.</source>
        <translation>
            <numerusform>%n request in flight will finish.</numerusform>
            <numerusform>%n requests in flight will finish.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unsaved change(s)</source>
        <translation>
            <numerusform>%n unsaved change</numerusform>
            <numerusform>%n unsaved changes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n finding</numerusform>
            <numerusform>%n findings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The draft takes the next requests, with %n unsaved change(s)</source>
        <translation>
            <numerusform>The draft takes the next requests, with %n unsaved change</numerusform>
            <numerusform>The draft takes the next requests, with %n unsaved changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::GatewayPage</name>
    <message numerus="yes">
        <source>%Ln under way</source>
        <translation>
            <numerusform>%Ln under way</numerusform>
            <numerusform>%Ln under way</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln under way, of which the oldest %1 are shown</source>
        <translation>
            <numerusform>%Ln under way, of which the oldest %1 are shown</numerusform>
            <numerusform>%Ln under way, of which the oldest %1 are shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) refused since the gateway started; see what would fix them.</source>
        <translation>
            <numerusform>%Ln request refused since the gateway started; see what would fix them.</numerusform>
            <numerusform>%Ln requests refused since the gateway started; see what would fix them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) refused in the last hour; see what would fix them.</source>
        <translation>
            <numerusform>%Ln request refused in the last hour; see what would fix them.</numerusform>
            <numerusform>%Ln requests refused in the last hour; see what would fix them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) refused in the last hour, all from %1; see what would fix them.</source>
        <translation>
            <numerusform>%Ln request refused in the last hour, all from %1; see what would fix them.</numerusform>
            <numerusform>%Ln requests refused in the last hour, all from %1; see what would fix them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) refused in the last hour, %1 of them from %2; see what would fix them.</source>
        <translation>
            <numerusform>%Ln request refused in the last hour, %1 of them from %2; see what would fix them.</numerusform>
            <numerusform>%Ln requests refused in the last hour, %1 of them from %2; see what would fix them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) refused since the gateway started</source>
        <translation>
            <numerusform>%Ln request refused since the gateway started</numerusform>
            <numerusform>%Ln requests refused since the gateway started</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) refused in the last hour</source>
        <translation>
            <numerusform>%Ln request refused in the last hour</numerusform>
            <numerusform>%Ln requests refused in the last hour</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::OverviewPage</name>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n finding</numerusform>
            <numerusform>%n findings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n advisory(ies)</source>
        <translation>
            <numerusform>%n advisory</numerusform>
            <numerusform>%n advisories</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thing(s) need attention.</source>
        <translation>
            <numerusform>%n thing needs attention.</numerusform>
            <numerusform>%n things need attention.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::PoolSheet</name>
    <message numerus="yes">
        <source>Not calibrated yet: needs %n more request(s), has %1.</source>
        <translation>
            <numerusform>Not calibrated yet: needs %n more request, has %1.</numerusform>
            <numerusform>Not calibrated yet: needs %n more requests, has %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::PresetsEditor</name>
    <message numerus="yes">
        <source>%n rule(s) lead to this preset</source>
        <translation>
            <numerusform>%n rule leads to this preset</numerusform>
            <numerusform>%n rules lead to this preset</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::PresetsPage</name>
    <message numerus="yes">
        <source>%n preset(s) share this name and nothing says which one is meant</source>
        <translation>
            <numerusform>%n preset has this name and nothing says which one is meant</numerusform>
            <numerusform>%n presets share this name and nothing says which one is meant</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n to do</source>
        <translation>
            <numerusform>%n to do</numerusform>
            <numerusform>%n to do</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n preset(s); the workspace holds an error, so nobody can say what serves them.</source>
        <translation>
            <numerusform>%n preset; the workspace holds an error, so nobody can say what serves them.</numerusform>
            <numerusform>%n presets; the workspace holds an error, so nobody can say what serves them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n preset(s) have an endpoint that can be called.</source>
        <translation>
            <numerusform>%1 of %n preset has an endpoint that can be called.</numerusform>
            <numerusform>%1 of %n presets have an endpoint that can be called.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n name(s) have no natural preset.</source>
        <translation>
            <numerusform>%n name has no natural preset.</numerusform>
            <numerusform>%n names have no natural preset.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n share it</source>
        <translation>
            <numerusform>%n shares it</numerusform>
            <numerusform>%n share it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::PreviewPanel</name>
    <message numerus="yes">
        <source>All of the last %n request(s) would get the same recommendation under this draft.</source>
        <translation>
            <numerusform>The only request would get the same recommendation under this draft.</numerusform>
            <numerusform>All of the last %n requests would get the same recommendation under this draft.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Another candidate would be tried first for %n of them.</source>
        <translation>
            <numerusform>Another candidate would be tried first for %n of them.</numerusform>
            <numerusform>Another candidate would be tried first for %n of them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of them cannot be decided again: nothing would be left to try, or not all candidates were recorded.</source>
        <translation>
            <numerusform>%n of them cannot be decided again: nothing would be left to try, or not all candidates were recorded.</numerusform>
            <numerusform>%n of them cannot be decided again: nothing would be left to try, or not all candidates were recorded.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more kind(s) of change</source>
        <translation>
            <numerusform>and %n more kind of change</numerusform>
            <numerusform>and %n more kinds of change</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::RuleForm</name>
    <message numerus="yes">
        <source>Its condition permits %n kind(s) of request that no rule of this evidence did when it was marked as measured. Mark it as inferred unless its evidence covers the new one(s), too.</source>
        <translation>
            <numerusform>Its condition permits %n kind of request that no rule of this evidence did when it was marked as measured. Mark it as inferred unless its evidence covers the new one, too.</numerusform>
            <numerusform>Its condition permits %n kinds of request that no rule of this evidence did when it was marked as measured. Mark it as inferred unless its evidence covers the new ones, too.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::StatusLine</name>
    <message numerus="yes">
        <source>%n advisory(ies) of the linter</source>
        <translation>
            <numerusform>%n advisory of the linter</numerusform>
            <numerusform>%n advisories of the linter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n finding(s)</source>
        <translation>
            <numerusform>%n finding</numerusform>
            <numerusform>%n findings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) are not saved; click for the list.</source>
        <translation>
            <numerusform>%n change is not saved; click for the list.</numerusform>
            <numerusform>%n changes are not saved; click for the list.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::TermChart</name>
    <message numerus="yes">
        <source>%n more candidate(s) of this group were not recorded</source>
        <translation>
            <numerusform>%n more candidate of this group was not recorded</numerusform>
            <numerusform>%n more candidates of this group were not recorded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::UsualSheet</name>
    <message numerus="yes">
        <source>%n week(s) ago</source>
        <translation>
            <numerusform>%n week ago</numerusform>
            <numerusform>%n weeks ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>signalbox::ui::WorkspaceButton</name>
    <message numerus="yes">
        <source>%n preset(s) of the table answer by simulation until their providers are named</source>
        <translation>
            <numerusform>%n preset of the table answers by simulation until its provider is named</numerusform>
            <numerusform>%n presets of the table answer by simulation until their providers are named</numerusform>
        </translation>
    </message>
</context>
</TS>
