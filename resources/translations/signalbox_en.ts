<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
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
        <name>signalbox::ui::GatewayPage</name>
        <message numerus="yes">
            <source>%n request(s) refused; see what would fix them.</source>
            <translation>
                <numerusform>%n request refused; see what would fix them.</numerusform>
                <numerusform>%n requests refused; see what would fix them.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n request(s) refused</source>
            <translation>
                <numerusform>%n request refused</numerusform>
                <numerusform>%n requests refused</numerusform>
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
    </context>
</TS>
