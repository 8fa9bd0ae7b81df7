// SPDX-License-Identifier: MIT
#include "ui/document/table_export.h"

#include "router/base/file.h"
#include "router/base/hashing.h"
#include "router/base/text.h"
#include "router/config/read.h"

namespace signalbox::ui {

namespace fs = std::filesystem;

static constexpr std::size_t kMaxTableBytes = std::size_t{32} << 20;

static Result<void> calledOff() { return fail(ErrorKind::cancelled, "it was called off, nothing was written"); }

static Result<void> passGate(const std::shared_ptr<WriteGate>& gate) { return gate && !gate->pass() ? calledOff() : Result<void>(); }

/// Before the seconds that a key takes.
static Result<void> mayBegin(const std::shared_ptr<WriteGate>& gate) { return gate && gate->isCalledOff() ? calledOff() : Result<void>(); }

static Result<std::string> readShown(const ExportRequest& request) {
    auto bytes = readFile(request.tableFile, kMaxTableBytes);
    if (bytes && sha256Hex(*bytes) != request.expectedSha256)
        return fail(ErrorKind::conflict, "the table on disk is not the one that was shown", request.tableFile.string(),
                    "Read it again, look at it, then export it.");
    return bytes;
}

/// Writes `bytes` to `target` unless it holds them already.
static Result<void> place(const fs::path& target, const std::string& bytes, const ExportRequest& request) {
    std::error_code code;
    if (!fs::is_directory(request.folder, code))
        return fail(ErrorKind::unavailable, code && code != std::errc::no_such_file_or_directory ? "the folder cannot be read: " + code.message() : "there is no such folder",
                    request.folder.string(), "Choose a folder that exists and that you may write to.");
    if (!fs::exists(target, code)) return writeFileAtomic(target, bytes, {.expectedSha256 = ""});
    const auto there = readFile(target, kMaxTableBytes);
    if (there && *there == bytes) return {};
    if (!request.replace)
        return fail(ErrorKind::conflict, "another routing table is there already, nothing was written", target.string(),
                    "Choose another folder, or allow it to be replaced.");
    return writeFileAtomic(target, bytes);
}

Result<ExportResult> exportTable(const ExportRequest& request) {
    if (auto wanted = mayBegin(request.gate); !wanted) return tl::unexpected(wanted.error());
    auto bytes = readShown(request);
    if (!bytes) return tl::unexpected(bytes.error());
    const auto key = signing::readSecretKey(request.key.secret, request.password);
    if (!key) return tl::unexpected(key.error());
    if (auto wanted = passGate(request.gate); !wanted) return tl::unexpected(wanted.error());
    ExportResult result;
    result.table = config::WorkspacePaths{request.folder}.table();
    if (auto placed = place(result.table, *bytes, request); !placed) return tl::unexpected(placed.error());
    auto signature = signing::signFile(result.table, *key,
                                       {.signer = request.signer, .policyVersion = request.policyVersion, .tableSha256 = request.expectedSha256,
                                        .fileName = {}, .at = toIso8601(request.at)},
                                       request.expectedSha256);
    if (!signature) return tl::unexpected(signature.error());
    result.signature = std::move(*signature);
    const std::vector<signing::PublicKey> trusted{key->publicKey()};
    auto verified = signing::verifyFile(result.table, trusted);
    if (!verified) return tl::unexpected(verified.error());
    if (verified->sha256 != request.expectedSha256)
        return fail(ErrorKind::conflict, "another program changed the table while it was being signed", result.table.string(), "Export it again.");
    result.verified = std::move(*verified);
    return result;
}

static Result<void> checkName(const std::string& name) {
    if (name.empty()) return fail(ErrorKind::badInput, "the key has no name", {}, "Give it a name, for example your own.");
    if (name.front() == '.' || name.find('/') != std::string::npos || name.ends_with(".pub"))
        return fail(ErrorKind::badInput, "\"" + name + "\" cannot be the name of a key", {},
                    "Use a plain file name: no slash, no dot in front, no .pub at the end.");
    return {};
}

Result<signing::ListedKey> createSigningKey(const fs::path& folder, const std::string& name, const std::string& password, const std::string& owner,
                                            const std::shared_ptr<WriteGate>& gate) {
    if (auto wanted = mayBegin(gate); !wanted) return tl::unexpected(wanted.error());
    if (auto fine = checkName(name); !fine) return tl::unexpected(fine.error());
    if (auto made = signing::makeKeyFolder(folder); !made) return tl::unexpected(made.error());
    signing::ListedKey listed{.files = {folder / name}, .key = {}, .hasSecret = true, .needsPassword = !password.empty()};
    if (auto fresh = signing::expectNew(listed.files); !fresh) return tl::unexpected(fresh.error());
    const auto key = signing::SecretKey::generate();
    const auto text = signing::encryptSecretKey(key, password, signing::KdfEffort::interactive, owner);
    if (!text) return tl::unexpected(text.error());
    listed.key = key.publicKey();
    listed.key.untrustedComment = owner;
    if (auto wanted = passGate(gate); !wanted) return tl::unexpected(wanted.error());
    if (auto written = signing::writeNewPair(listed.files, *text, listed.key); !written) return tl::unexpected(written.error());
    return listed;
}

}  // namespace signalbox::ui
