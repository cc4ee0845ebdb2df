/* A shim for LD_PRELOAD: at the Nth write, sync, truncation, rename or removal of a file whose path holds a mark, the
   process is killed, loses what was not synced as in a power cut, or gets ENOSPC, EIO, EDQUOT or EROFS from then on.
   Armed by fault_arm(). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NOTHING, KILL, POWER, FULL, BROKEN, QUOTA, READ_ONLY };
struct written { dev_t dev; ino_t ino; int fd; off_t at; size_t n; off_t size; char *old; struct written *before; };
struct renamed { char from[4096], to[4096], kept[4096]; int replaced; struct renamed *before; };
struct held { dev_t dev; ino_t ino; int fd; struct held *before; };

static long at_call = -1, n_calls = 0;
static int kind = NOTHING, has_begun = 0;
static unsigned seed = 1;
static struct written *writes = NULL;
static struct renamed *renames = NULL;
static struct held *files = NULL;

static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_sync)(int);
static int (*real_truncate)(int, off_t);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);
static int (*real_openat)(int, const char *, int, ...);

static void load(void) {
    if (real_openat) return;
    real_sync = dlsym(RTLD_NEXT, "fdatasync");
    real_truncate = dlsym(RTLD_NEXT, "ftruncate64");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    real_write = dlsym(RTLD_NEXT, "write");
    real_rename = dlsym(RTLD_NEXT, "rename");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_openat = dlsym(RTLD_NEXT, "openat64");
}

void fault_arm(long at, int what, unsigned with_seed) {
    at_call = at; kind = what; seed = with_seed; n_calls = 0; has_begun = 0;
}
long fault_calls(void) { return n_calls; }

static int is_marked_path(const char *path) {
    return strstr(path, "treatise.db") != NULL && strstr(path, "-shm") == NULL;
}

static int is_marked(int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0) return 0;
    path[n] = 0;
    return is_marked_path(path);
}

static void power_cut(void) {
    for (struct written *w = writes; w; w = w->before)
        if (rand_r(&seed) % 2) {
            real_pwrite(w->fd, w->old, w->n, w->at);
            if (rand_r(&seed) % 2) real_truncate(w->fd, w->size);
        }
    for (struct renamed *r = renames; r; r = r->before) {
        if (rand_r(&seed) % 2 == 0) return; /* folders are journals: what is older than something kept is kept */
        if (real_rename(r->to, r->from) == 0 && r->replaced) real_rename(r->kept, r->to);
    }
}

static int failure(void) {
    switch (kind) {
        case FULL: return ENOSPC;
        case BROKEN: return EIO;
        case QUOTA: return EDQUOT;
        case READ_ONLY: return EROFS;
        default: return 0;
    }
}

/* Counts a call on a marked file; returns an errno to fail with, or 0. Does not return if the process is to end. */
static int step(void) {
    if (++n_calls < at_call) return 0;
    has_begun = 1;
    if (kind == POWER) power_cut();
    if (kind == POWER || kind == KILL) { kill(getpid(), SIGKILL); pause(); }
    return failure();
}

static int step_file(int fd) {
    load();
    return kind != NOTHING && is_marked(fd) ? step() : 0;
}

static int step_path(const char *path) {
    load();
    return kind != NOTHING && is_marked_path(path) ? step() : 0;
}

/* A descriptor of the file that stays open: that of the caller may be closed, and its number used again. */
static int held_open(int fd, const struct stat *s) {
    for (struct held *h = files; h; h = h->before)
        if (h->ino == s->st_ino && h->dev == s->st_dev) return h->fd;
    struct held *h = malloc(sizeof *h);
    *h = (struct held){s->st_dev, s->st_ino, dup(fd), files};
    files = h;
    return h->fd;
}

static void remember(int fd, size_t n, off_t at) {
    struct stat s;
    if (kind != POWER || !is_marked(fd) || fstat(fd, &s)) return;
    struct written *w = malloc(sizeof *w);
    *w = (struct written){s.st_dev, s.st_ino, held_open(fd, &s), at, n, s.st_size, calloc(1, n ? n : 1), writes};
    if (pread(fd, w->old, n, at) < 0) memset(w->old, 0, n);
    writes = w;
}

static void forget(int fd) {
    struct stat s;
    if (fstat(fd, &s)) return;
    for (struct written **p = &writes; *p;) {
        struct written *w = *p;
        if (w->ino == s.st_ino && w->dev == s.st_dev) { *p = w->before; free(w->old); free(w); } else p = &w->before;
    }
    if (S_ISDIR(s.st_mode)) renames = NULL;
}

static ssize_t guarded_write(int fd, const void *data, size_t n, off_t at) {
    int failed = step_file(fd);
    if (failed) { errno = failed; return -1; }
    remember(fd, n, at);
    return real_pwrite(fd, data, n, at);
}

ssize_t write(int fd, const void *data, size_t n) {
    int failed = step_file(fd);
    if (failed) { errno = failed; return -1; }
    if (kind == POWER) remember(fd, n, lseek(fd, 0, SEEK_CUR));
    return real_write(fd, data, n);
}

static int guarded_sync(int fd) {
    int failed = step_file(fd);
    if (failed == EIO) { errno = failed; return -1; }
    int done = real_sync(fd);
    if (!done) forget(fd);
    return done;
}

static int guarded_truncate(int fd, off_t n) {
    int failed = step_file(fd);
    if (failed == EROFS || failed == EIO) { errno = failed; return -1; }
    return real_truncate(fd, n);
}

static void remember_rename(const char *from, const char *to) {
    static int number = 0;
    struct renamed *r = malloc(sizeof *r);
    snprintf(r->from, sizeof r->from, "%s", from);
    snprintf(r->to, sizeof r->to, "%s", to);
    snprintf(r->kept, sizeof r->kept, "%s.kept-%d", to, number++);
    r->replaced = link(to, r->kept) == 0;
    r->before = renames;
    renames = r;
}

int rename(const char *from, const char *to) {
    int failed = step_path(to);
    if (failed && failed != EDQUOT) { errno = failed; return -1; }
    if (kind == POWER && is_marked_path(to)) remember_rename(from, to);
    return real_rename(from, to);
}

int unlink(const char *path) {
    int failed = step_path(path);
    if (failed == EROFS || failed == EIO) { errno = failed; return -1; }
    return real_unlink(path);
}

static int guarded_open(int folder, const char *path, int flags, mode_t mode) {
    load();
    int writes_to_it = flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
    if (kind == READ_ONLY && has_begun && writes_to_it && is_marked_path(path)) { errno = EROFS; return -1; }
    return real_openat(folder, path, flags, mode);
}

#define MODE(flags) mode_t mode = 0; if ((flags) & (O_CREAT | __O_TMPFILE)) { \
    va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }

int open(const char *path, int flags, ...) { MODE(flags) return guarded_open(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return guarded_open(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return guarded_open(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return guarded_open(folder, path, flags, mode); }
ssize_t pwrite(int fd, const void *data, size_t n, off_t at) { return guarded_write(fd, data, n, at); }
ssize_t pwrite64(int fd, const void *data, size_t n, off_t at) { return guarded_write(fd, data, n, at); }
int fdatasync(int fd) { return guarded_sync(fd); }
int fsync(int fd) { return guarded_sync(fd); }
int ftruncate(int fd, off_t n) { return guarded_truncate(fd, n); }
int ftruncate64(int fd, off_t n) { return guarded_truncate(fd, n); }
