/* What the libraries for LD_PRELOAD share. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* The path of an open file. A removed file keeps its path. Returns 0 if there is none. */
static int path_of(int fd, char *path, size_t size) {
    static const char removed[] = " (deleted)";
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    size_t end = sizeof removed - 1;
    if ((size_t)length > end && strcmp(path + length - end, removed) == 0) path[length - end] = 0;
    return 1;
}
