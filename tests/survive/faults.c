/* Faults of the disk, for a host that is started with this library in LD_PRELOAD.
 *
 * They hit only files whose path contains HOLDFAST_FAULTY_FILE. The first byte of the file HOLDFAST_FAULT chooses the fault, and
 * a test may change it at any time:
 *   o  none
 *   e  writes and syncs fail with EIO
 *   w  the next write fails with EIO; then as o
 *   f  the next sync fails with EIO, and loses nothing; then as o
 *   s  writes and syncs wait until the fault is another one
 *   d  the next sync fails with EIO and loses all pages that were written since the last sync, as Linux may do; then as o
 */
#include "preload.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

/* A piece of a file before it was overwritten. */
struct piece {
    struct piece *earlier;
    int fd;
    off_t at;
    size_t length;
    char bytes[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct piece *pieces;
static volatile char *fault;
static const char *name;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

static void __attribute__((constructor)) begin(void) {
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    name = getenv("HOLDFAST_FAULTY_FILE");
    const char *control = getenv("HOLDFAST_FAULT");
    int fd = control ? open(control, O_RDWR) : -1;
    void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    fault = mapped == MAP_FAILED ? NULL : mapped;
}

static int is_faulty(int fd) {
    char path[4096];
    return fault && name && path_of(fd, path, sizeof path) && strstr(path, name) != NULL;
}

/* Waits while the disk is silent. Returns whether the call must fail: always, or once with the given fault. */
static int fails(char once) {
    while (*fault == 's') usleep(1000);
    return *fault == 'e' || __sync_bool_compare_and_swap(fault, once, 'o');
}

static void forget(int fd) {
    struct piece **at = &pieces;
    while (*at) {
        struct piece *piece = *at;
        if (piece->fd == fd) {
            *at = piece->earlier;
            free(piece);
        } else {
            at = &piece->earlier;
        }
    }
}

static ssize_t faulty_pwrite(int fd, const void *bytes, size_t length, off_t at) {
    if (!is_faulty(fd)) return real_pwrite(fd, bytes, length, at);
    if (fails('w')) {
        errno = EIO;
        return -1;
    }
    pthread_mutex_lock(&lock);
    struct piece *piece = malloc(sizeof *piece + length);
    if (piece) {
        ssize_t read = pread(fd, piece->bytes, length, at);
        if (read < 0) read = 0;
        /* Beyond the end of the file there are zeros. */
        memset(piece->bytes + read, 0, length - read);
        piece->earlier = pieces;
        piece->fd = fd;
        piece->at = at;
        piece->length = length;
        pieces = piece;
    }
    pthread_mutex_unlock(&lock);
    return real_pwrite(fd, bytes, length, at);
}

static int faulty_sync(int fd, int (*real)(int)) {
    if (!is_faulty(fd)) return real(fd);
    int failed = fails('f');
    pthread_mutex_lock(&lock);
    if (*fault == 'd') {
        *fault = 'o';
        failed = 1;
        for (struct piece *piece = pieces; piece; piece = piece->earlier)
            if (piece->fd == fd && real_pwrite(fd, piece->bytes, piece->length, piece->at) < 0) abort();
    }
    if (!failed || *fault == 'o') forget(fd);
    pthread_mutex_unlock(&lock);
    if (failed) {
        errno = EIO;
        return -1;
    }
    return real(fd);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return faulty_pwrite(fd, bytes, length, at); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) { return faulty_pwrite(fd, bytes, length, at); }
int fsync(int fd) { return faulty_sync(fd, real_fsync); }
int fdatasync(int fd) { return faulty_sync(fd, real_fdatasync); }
