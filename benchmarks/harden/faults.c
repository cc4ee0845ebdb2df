/* A shim for LD_PRELOAD: at the Nth write, sync or truncation of a file whose path holds a mark, the process is killed,
   loses unsynced writes as in a power cut, or gets ENOSPC or EIO from then on. Armed by fault_arm(). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTHING, KILL, POWER, FULL, BROKEN };
struct undo { dev_t dev; ino_t ino; int fd; off_t at; size_t n; off_t size; char *old; struct undo *before; };

static long at_call = -1, n_calls = 0;
static int kind = NOTHING;
static unsigned seed = 1;
static struct undo *log_of_writes = NULL;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_sync)(int);
static int (*real_truncate)(int, off_t);

static void load(void) {
    if (real_pwrite) return;
    real_sync = dlsym(RTLD_NEXT, "fdatasync");
    real_truncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
}

void fault_arm(long at, int what, unsigned with_seed) { at_call = at; kind = what; seed = with_seed; n_calls = 0; }
long fault_calls(void) { return n_calls; }

static int is_marked(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0) return 0;
    path[n] = 0;
    return strstr(path, "treatise.db") != NULL && strstr(path, "-shm") == NULL;
}

static void power_cut(void) {
    for (struct undo *u = log_of_writes; u; u = u->before)
        if (rand_r(&seed) % 2) {
            real_pwrite(u->fd, u->old, u->n, u->at);
            if (rand_r(&seed) % 2) real_truncate(u->fd, u->size);
        }
}

/* Counts a call; returns an errno to fail with, or 0. Does not return if the process is to end. */
static int step(int fd) {
    load();
    if (kind == NOTHING || !is_marked(fd)) return 0;
    if (++n_calls < at_call) return 0;
    if (kind == FULL) return ENOSPC;
    if (kind == BROKEN) return EIO;
    if (kind == POWER) power_cut();
    kill(getpid(), SIGKILL);
    pause();
    return 0;
}

static void remember(int fd, size_t n, off_t at) {
    struct stat s;
    if (kind != POWER || !is_marked(fd) || fstat(fd, &s)) return;
    struct undo *u = malloc(sizeof *u);
    *u = (struct undo){s.st_dev, s.st_ino, fd, at, n, s.st_size, calloc(1, n ? n : 1), log_of_writes};
    if (pread(fd, u->old, n, at) < 0) memset(u->old, 0, n);
    log_of_writes = u;
}

static void forget(int fd) {
    struct stat s;
    if (fstat(fd, &s)) return;
    for (struct undo **p = &log_of_writes; *p;) {
        struct undo *u = *p;
        if (u->ino == s.st_ino && u->dev == s.st_dev) { *p = u->before; free(u->old); free(u); } else p = &u->before;
    }
}

static ssize_t guarded_write(int fd, const void *data, size_t n, off_t at) {
    int failed = step(fd);
    if (failed) { errno = failed; return -1; }
    remember(fd, n, at);
    return real_pwrite(fd, data, n, at);
}

static int guarded_sync(int fd) {
    int failed = step(fd);
    if (failed == EIO) { errno = failed; return -1; }
    int done = real_sync(fd);
    if (!done) forget(fd);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t n, off_t at) { return guarded_write(fd, data, n, at); }
ssize_t pwrite64(int fd, const void *data, size_t n, off_t at) { return guarded_write(fd, data, n, at); }
int fdatasync(int fd) { return guarded_sync(fd); }
int fsync(int fd) { return guarded_sync(fd); }
int ftruncate(int fd, off_t n) { step(fd); return real_truncate(fd, n); }
int ftruncate64(int fd, off_t n) { step(fd); return real_truncate(fd, n); }
