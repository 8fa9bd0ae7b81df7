// SPDX-License-Identifier: MIT
#include "router/engine/apply_rules.h"

#include "router/engine/admin_wire.h"
#include "router/policy/workspace.h"

#include <algorithm>

namespace signalbox::engine {

namespace {

using SentFile = wire::ApplyRequest::File;

constexpr const char* kTableFile = "routing-table.json";
constexpr const char* kConfigFile = "gateway.toml";
constexpr std::size_t kMostFindings = 5;

Result<const SentFile*> fileOf(const wire::ApplyRequest& request, const char* name) {
    const SentFile* file = request.find(name);
    if (file != nullptr)
        return file;
    return fail(ErrorKind::badInput, "the file is missing", name, "Send routing-table.json and gateway.toml, both whole.");
}

Result<void> expectNoOthers(const wire::ApplyRequest& request) {
    for (const SentFile& file : request.files)
        if (file.name != kTableFile && file.name != kConfigFile)
            return fail(ErrorKind::badInput, "nothing would read this file", file.name,
                        "Send routing-table.json and gateway.toml alone.");
    return {};
}

/// Whose signature of the file is good; the error of the last one that is not.
Result<std::string> signerOf(const SentFile& file, const std::vector<signing::PublicKey>& trusted) {
    Error last{ErrorKind::denied, "it is not signed, and this gateway takes only what a trusted key signed", file.name,
               "Sign it with `signalboxctl sign --key PREFIX " + file.name + "`."};
    for (const std::string& text : file.signatures) {
        const auto signature = signing::parseSignature(text);
        if (!signature) {
            last = signature.error();
            last.where = file.name + ".minisig" + (last.where.empty() ? "" : ":" + last.where);
            continue;
        }
        const auto key = std::find_if(trusted.begin(), trusted.end(), [&](const auto& one) { return one.keyId == signature->keyId; });
        if (key == trusted.end()) {
            signing::PublicKey named;
            named.keyId = signature->keyId;
            last = {ErrorKind::denied, "it was signed with key " + named.idText() + ", which is not trusted here", file.name,
                    "Ask a trusted signer to sign it, or start the gateway with the signer's .pub file as --trusted-key."};
            continue;
        }
        if (const auto verified = signing::verify(*key, file.text, *signature); !verified) {
            last = verified.error();
            last.kind = ErrorKind::denied;
            last.where = file.name;
            continue;
        }
        const signing::TrustedFacts facts = signing::parseTrustedFacts(signature->trustedComment);
        return facts.signer.empty() ? "key " + key->idText() : facts.signer;
    }
    return tl::unexpected(std::move(last));
}

void addErrors(const Findings& findings, const char* file, std::vector<std::string>& out) {
    for (const Finding& finding : findings)
        if (finding.severity == Severity::error)
            out.push_back(finding.text(file));
}

Error errorsOf(const policy::LoadedWorkspace& workspace) {
    std::vector<std::string> lines;
    addErrors(workspace.table.findings, kTableFile, lines);
    addErrors(workspace.config.findings, kConfigFile, lines);
    addErrors(workspace.crossFindings, kConfigFile, lines);
    std::string message = "the policy cannot be used";
    for (std::size_t i = 0; i < std::min(lines.size(), kMostFindings); ++i)
        message += (i == 0 ? ": " : "; ") + lines[i];
    if (lines.size() > kMostFindings)
        message += "; and " + std::to_string(lines.size() - kMostFindings) + " more";
    return {ErrorKind::badInput, std::move(message), {}, "`signalboxctl check` lists everything. The running policy stays."};
}

std::shared_ptr<const policy::PolicySnapshot> listeningAt(const policy::PolicySnapshot& snapshot, const config::ListenAddress& address) {
    auto config = std::make_shared<config::GatewayConfig>(*snapshot.config);
    config->server.host = address.host;
    config->server.port = address.port;
    return policy::makeSnapshot(snapshot.table, snapshot.tableSha256, std::move(config));
}

} // namespace

Result<Policy> policyFrom(const wire::ApplyRequest& request, const ApplyRules& rules, const config::Environment& environment,
                          Timestamp now) {
    if (auto others = expectNoOthers(request); !others)
        return tl::unexpected(others.error());
    const auto table = fileOf(request, kTableFile);
    if (!table)
        return tl::unexpected(table.error());
    const auto config = fileOf(request, kConfigFile);
    if (!config)
        return tl::unexpected(config.error());
    Policy policy;
    if (rules.requireSignature) {
        // Both: the table says which preset, but gateway.toml says where prompts and keys go.
        const auto ofConfig = signerOf(**config, rules.trusted);
        if (!ofConfig)
            return tl::unexpected(ofConfig.error());
        auto ofTable = signerOf(**table, rules.trusted);
        if (!ofTable)
            return tl::unexpected(ofTable.error());
        policy.signedBy = std::move(*ofTable);
    }
    auto loaded = policy::joinWorkspace(table::readTable((*table)->text, now), config::readConfig((*config)->text), environment);
    if (!loaded)
        return tl::unexpected(loaded.error());
    if (!loaded->snapshot)
        return tl::unexpected(errorsOf(*loaded));
    policy.snapshot = rules.listen ? listeningAt(*loaded->snapshot, *rules.listen) : std::move(loaded->snapshot);
    return policy;
}

} // namespace signalbox::engine
