/* Records what a host does to its log and what it sends, for a host that is started with this library in LD_PRELOAD.
 *
 * The file HOLDFAST_RECORDING gets a record for each call, in the order of the calls. Only these files are recorded:
 * HOLDFAST_RECORDED_FILE, and the files beside it that end with -wal and -journal; and the folder's own sync. The shared memory
 * (-shm) is no part of what a disk keeps, because SQLite builds it again.
 *
 * A record is a kind, three numbers of eight bytes (a file or socket, a position, a length), and as many bytes as the length:
 *   o  the file (its inode) was opened; position: 1 if it was cut to nothing; bytes: its path
 *   w  bytes were written at the position
 *   t  the length of the file was set to the position
 *   b  a sync began; position: the number of the sync; the folder is file 0
 *   e  that sync has succeeded
 *   u  the path in the bytes was removed
 *   r  a path was renamed; bytes: both paths, with a 0 between them
 *   s  the bytes were handed to the socket (its inode)
 *
 * One lock is held over a call and its record, so the order is the real one. Only a sync takes long, so it has two records.
 */
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* The function that this library stands in front of. */
#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int recording = -1;
static const char *log_path;
static uint64_t syncs;

static void write_all(const void *bytes, size_t length) {
    REAL(ssize_t, "write", int, const void *, size_t);
    const char *at = bytes;
    while (length > 0) {
        ssize_t written = real(recording, at, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) abort();
        at += written;
        length -= written;
    }
}

/* Appends a record, with bytes in several parts. The caller holds the lock. */
static void record(char kind, uint64_t file, uint64_t position, const struct iovec *parts, int count, size_t length) {
    int before = errno;
    char head[25] = {kind};
    uint64_t numbers[3] = {file, position, length};
    memcpy(head + 1, numbers, sizeof numbers);
    write_all(head, sizeof head);
    for (int i = 0; i < count && length > 0; i++) {
        size_t part = parts[i].iov_len < length ? parts[i].iov_len : length;
        write_all(parts[i].iov_base, part);
        length -= part;
    }
    errno = before;
}

static void record_bytes(char kind, uint64_t file, uint64_t position, const void *bytes, size_t length) {
    struct iovec part = {(void *)bytes, length};
    record(kind, file, position, &part, 1, length);
}

static void __attribute__((constructor)) begin(void) {
    REAL(int, "open64", const char *, int, ...);
    const char *path = getenv("HOLDFAST_RECORDING");
    log_path = getenv("HOLDFAST_RECORDED_FILE");
    if (path && log_path) recording = real(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_recorded_path(const char *path) {
    size_t length = recording < 0 ? 0 : strlen(log_path);
    if (!length || strncmp(path, log_path, length) != 0) return 0;
    const char *end = path + length;
    return !*end || strcmp(end, "-wal") == 0 || strcmp(end, "-journal") == 0;
}

/* Whether it is the folder of the log. */
static int is_folder(const char *path) {
    const char *slash = recording < 0 ? NULL : strrchr(log_path, '/');
    size_t length = slash ? (size_t)(slash - log_path) : 0;
    return length && strlen(path) == length && strncmp(path, log_path, length) == 0;
}

static uint64_t inode(int fd) {
    struct stat about;
    return fstat(fd, &about) == 0 ? about.st_ino : 0;
}

static int is_recorded(int fd) {
    char path[4096];
    return recording >= 0 && path_of(fd, path, sizeof path) && is_recorded_path(path);
}

static int is_internet(int fd) {
    int before = errno;
    struct stat about;
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    int is = recording >= 0 && fd != recording && fstat(fd, &about) == 0 && S_ISSOCK(about.st_mode)
        && getsockname(fd, (struct sockaddr *)&address, &length) == 0
        && (address.ss_family == AF_INET || address.ss_family == AF_INET6);
    errno = before;
    return is;
}

static int record_open(int fd, const char *path, int flags) {
    if (fd >= 0 && is_recorded_path(path)) record_bytes('o', inode(fd), (flags & O_TRUNC) != 0, path, strlen(path));
    return fd;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(int, #name, const char *, int, ...); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        pthread_mutex_lock(&lock); \
        int fd = record_open(real(path, flags, mode), path, flags); \
        pthread_mutex_unlock(&lock); \
        return fd; \
    }
OPEN(open)
OPEN(open64)

#define PWRITE(name, offset) \
    ssize_t name(int fd, const void *bytes, size_t length, offset at) { \
        REAL(ssize_t, #name, int, const void *, size_t, offset); \
        if (!is_recorded(fd)) return real(fd, bytes, length, at); \
        pthread_mutex_lock(&lock); \
        ssize_t written = real(fd, bytes, length, at); \
        if (written > 0) record_bytes('w', inode(fd), at, bytes, written); \
        pthread_mutex_unlock(&lock); \
        return written; \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define FTRUNCATE(name, offset) \
    int name(int fd, offset length) { \
        REAL(int, #name, int, offset); \
        if (!is_recorded(fd)) return real(fd, length); \
        pthread_mutex_lock(&lock); \
        int done = real(fd, length); \
        if (done == 0) record('t', inode(fd), length, NULL, 0, 0); \
        pthread_mutex_unlock(&lock); \
        return done; \
    }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define SYNC(name) \
    int name(int fd) { \
        REAL(int, #name, int); \
        char path[4096]; \
        int known = recording >= 0 && path_of(fd, path, sizeof path); \
        if (!known || !(is_recorded_path(path) || is_folder(path))) return real(fd); \
        uint64_t file = is_folder(path) ? 0 : inode(fd); \
        pthread_mutex_lock(&lock); \
        uint64_t number = ++syncs; \
        record('b', file, number, NULL, 0, 0); \
        pthread_mutex_unlock(&lock); \
        int done = real(fd); \
        pthread_mutex_lock(&lock); \
        if (done == 0) record('e', file, number, NULL, 0, 0); \
        pthread_mutex_unlock(&lock); \
        return done; \
    }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    pthread_mutex_lock(&lock);
    int done = real(path);
    if (done == 0 && is_recorded_path(path)) record_bytes('u', 0, 0, path, strlen(path));
    pthread_mutex_unlock(&lock);
    return done;
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    pthread_mutex_lock(&lock);
    int done = real(from, to);
    if (done == 0 && (is_recorded_path(from) || is_recorded_path(to))) {
        struct iovec parts[2] = {{(void *)from, strlen(from) + 1}, {(void *)to, strlen(to)}};
        record('r', 0, 0, parts, 2, parts[0].iov_len + parts[1].iov_len);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

/* Calls a function that hands bytes to a socket, and records as many as it took. Sockets of a host never block. */
#define SEND(fd, parts, count, call) \
    if (!is_internet(fd)) return call; \
    pthread_mutex_lock(&lock); \
    ssize_t sent = call; \
    if (sent > 0) record('s', inode(fd), 0, parts, count, sent); \
    pthread_mutex_unlock(&lock); \
    return sent

ssize_t write(int fd, const void *bytes, size_t length) {
    REAL(ssize_t, "write", int, const void *, size_t);
    /* A file of the log is written at positions only; otherwise the record would lack one. */
    if (is_recorded(fd)) abort();
    struct iovec part = {(void *)bytes, length};
    SEND(fd, &part, 1, real(fd, bytes, length));
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    if (is_recorded(fd)) abort();
    SEND(fd, parts, count, real(fd, parts, count));
}

ssize_t send(int fd, const void *bytes, size_t length, int flags) {
    REAL(ssize_t, "send", int, const void *, size_t, int);
    struct iovec part = {(void *)bytes, length};
    SEND(fd, &part, 1, real(fd, bytes, length, flags));
}

ssize_t sendto(int fd, const void *bytes, size_t length, int flags, const struct sockaddr *to, socklen_t size) {
    REAL(ssize_t, "sendto", int, const void *, size_t, int, const struct sockaddr *, socklen_t);
    struct iovec part = {(void *)bytes, length};
    SEND(fd, &part, 1, real(fd, bytes, length, flags, to, size));
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    REAL(ssize_t, "sendmsg", int, const struct msghdr *, int);
    SEND(fd, message->msg_iov, message->msg_iovlen, real(fd, message, flags));
}
