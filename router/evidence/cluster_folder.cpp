// SPDX-License-Identifier: MIT
#include "router/evidence/cluster_folder.h"

#include "router/base/hashing.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace signalbox::evidence {
namespace {

namespace fs = std::filesystem;

// sockaddr_un holds 108 bytes with the final zero; PostgreSQL appends this name.
constexpr std::string_view kSocketName = "/.s.PGSQL.5432";
constexpr std::size_t kMaxSocketPath = 107;

bool isRoot() { return ::geteuid() == 0; }

tl::unexpected<Error> cannot(const std::string& what, const fs::path& path, int code) {
    return fail(code == EACCES || code == EPERM ? ErrorKind::denied : ErrorKind::unavailable,
                "cannot " + what + ": " + std::strerror(code), path.string(),
                "Check the owner and permissions, or choose another place with SIGNALBOX_DATA_DIR.");
}

/// Missing parents of root are open for passing through, since the server's user must get to its folder.
Result<void> makeParents(const fs::path& path) {
    if (path.empty() || fs::exists(path)) return {};
    if (auto above = makeParents(path.parent_path()); !above) return above;
    const mode_t mode = isRoot() ? 0711 : 0700;
    if (::mkdir(path.c_str(), mode) != 0 && errno != EEXIST) return cannot("create this folder", path, errno);
    if (isRoot()) ::chmod(path.c_str(), mode);
    return {};
}

Result<std::optional<Account>> serverAccount(const fs::path& root) {
    if (!isRoot()) return std::optional<Account>();
    struct stat info {};
    if (::stat(root.c_str(), &info) == 0 && info.st_uid != 0) return Account::ofUser(info.st_uid, info.st_gid);
    auto account = Account::find("postgres");
    if (!account)
        return fail(ErrorKind::unavailable, "there is no user \"postgres\" to run the database as", root.string(),
                    "Install the package postgresql-15, run as an ordinary user, or name a server with evidence.dsn_env.");
    return account;
}

/// Creates a closed folder of the server's user, or checks that an existing one is that.
Result<void> closedFolder(const fs::path& path, const std::optional<Account>& account) {
    const uid_t owner = account ? account->uid : ::geteuid();
    if (::mkdir(path.c_str(), 0700) == 0) {
        if (account && ::chown(path.c_str(), account->uid, account->gid) != 0)
            return cannot("give this folder to " + account->name, path, errno);
    } else if (errno != EEXIST) {
        return cannot("create this folder", path, errno);
    }
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) return cannot("look at this folder", path, errno);
    if (!S_ISDIR(info.st_mode) || (info.st_uid != owner && info.st_uid != ::geteuid()))
        return fail(ErrorKind::denied, "this is not a folder of ours", path.string(),
                    "It belongs to another user. Remove it, or choose another place with SIGNALBOX_DATA_DIR.");
    if (account && info.st_uid != owner && ::chown(path.c_str(), account->uid, account->gid) != 0)
        return cannot("give this folder to " + account->name, path, errno);
    if ((info.st_mode & 0777) != 0700 && ::chmod(path.c_str(), 0700) != 0)
        return cannot("close this folder to others", path, errno);
    return {};
}

bool isPlain(const std::string& path) {
    return path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") ==
           std::string::npos;
}

fs::path socketFolder(const fs::path& root) {
    const std::string text = root.string();
    if (text.size() + kSocketName.size() <= kMaxSocketPath && isPlain(text)) return root;
    return "/tmp/signalbox-" + sha256Hex(text).substr(0, 16);
}

}  // namespace

Result<ClusterFolder> ClusterFolder::prepare(const fs::path& parent) {
    std::error_code error;
    const fs::path absolute = fs::weakly_canonical(fs::absolute(parent, error), error);
    if (error) return cannot("resolve this path", parent, error.value());
    if (auto made = makeParents(absolute); !made) return tl::unexpected(made.error());
    ClusterFolder folder;
    folder.root = absolute / "pg";
    folder.data = folder.root / "data";
    folder.sockets = socketFolder(folder.root);
    auto account = serverAccount(folder.root);
    if (!account) return tl::unexpected(account.error());
    folder.account = std::move(*account);
    if (auto closed = closedFolder(folder.root, folder.account); !closed) return tl::unexpected(closed.error());
    if (!canUseFolder(folder.root, folder.account)) {
        const std::string who = folder.account ? "the user \"" + folder.account->name + "\", who runs the database," : "we";
        return fail(ErrorKind::denied, who + " cannot get into this folder", folder.root.string(),
                    "A folder above it is closed, as root's home is. Set SIGNALBOX_DATA_DIR to a folder below an open "
                    "one such as /var/lib.");
    }
    if (folder.sockets != folder.root)
        if (auto closed = closedFolder(folder.sockets, folder.account); !closed) return tl::unexpected(closed.error());
    return folder;
}

bool ClusterFolder::exists(const fs::path& parent) {
    std::error_code error;
    return fs::exists(parent / "pg" / "data", error);
}

void ClusterFolder::giveToServer(const fs::path& path) const {
    // Never through a link: the folder is the server's, who could put one there that leads to a file of root's.
    // Should it fail, the server's own message says what it could not read.
    if (account && ::lchown(path.c_str(), account->uid, account->gid) != 0) return;
}

Result<fs::path> ClusterFolder::shellSafeRoot() const {
    if (isPlain(root.string())) return root;
    const fs::path link = sockets / "home";
    std::error_code error;
    if (fs::read_symlink(link, error) == root) return link;
    fs::remove(link, error);
    fs::create_directory_symlink(root, link, error);
    if (error) return cannot("create this link", link, error.value());
    return link;
}

std::string ClusterFolder::connectionString() const {
    return "host=" + sockets.string() + " port=5432 dbname=postgres user=signalbox";
}

}  // namespace signalbox::evidence
