// Autofs after fs/autofs: flags of a mount point (PENDING, EXPIRING), visitors, a wait queue with states and waiters.
// The historical race is mended here: who has walked over a mount point notes when in last_used with fs_lock, which
// autofs_can_expire() and the end of an expire hold as well (Linux 6.1 writes without, in autofs_mount_wait).
// Everything else is kept apart by values under fs_lock and wq_mutex.
// LEFT: 19
#include <pthread.h>
#include <string.h>

#define AUTOFS_INF_EXPIRING 1     // being unmounted by the daemon
#define AUTOFS_INF_WANT_EXPIRE 2  // chosen, may still be visited
#define AUTOFS_INF_PENDING 4      // being mounted by the daemon
#define AUTOFS_INF_MOUNTED 8

#define NAME_MAX_LEN 16
#define REQUESTS_MAX 6
#define EXPIRE_TRIES 20
#define TIMEOUT 2
#define ENOENT 2
#define EAGAIN 11

enum autofs_notify { NFY_NONE, NFY_MOUNT, NFY_EXPIRE };
enum wait_state { WQ_FREE, WQ_FILLING, WQ_QUEUED, WQ_TAKEN, WQ_DONE };

struct autofs_wait_queue {
  int state;     // under wq_mutex, as wait_ctr is
  int wait_ctr;  // who will still read the status
  pthread_cond_t queue;
  int type;
  int uid;
  char name[NAME_MAX_LEN];
  int status;
};

struct autofs_info {
  int flags;  // under fs_lock, as count is
  int count;  // visitors
  pthread_cond_t expire_complete;
  long last_used;
  int uid, gid;   // who asked for the mount
  int dev, root;  // the mount
};

struct autofs_sb_info {
  pthread_mutex_t fs_lock;
  pthread_mutex_t wq_mutex;
  pthread_mutex_t clock_lock;
  long jiffies;
  int catatonic;
  int daemon_gone;
  int pipefd;
  int mounted, expired;
  int last_dev;
  struct autofs_wait_queue wq;
};

struct super_block {
  pthread_mutex_t s_umount;
  pthread_cond_t s_released;
  int s_active;
  struct autofs_sb_info *s_fs_info;
  struct autofs_info *s_root;
};

static struct autofs_info root_info;
static struct autofs_sb_info sb_info;
static struct super_block super = {.s_fs_info = &sb_info, .s_root = &root_info};
static int left_mounted;

static long get_jiffies(struct autofs_sb_info *sbi) {
  long now;

  pthread_mutex_lock(&sbi->clock_lock);
  now = ++sbi->jiffies;
  pthread_mutex_unlock(&sbi->clock_lock);
  return now;
}

static void deactivate_super(struct super_block *sb) {
  pthread_mutex_lock(&sb->s_umount);
  sb->s_active--;
  if (sb->s_active == 0)
    pthread_cond_signal(&sb->s_released);
  pthread_mutex_unlock(&sb->s_umount);
}

// ---- the wait queue

// A request that is queued is given up, one the daemon has taken is not. Afterwards there are no new ones.
static void autofs_catatonic_mode(struct autofs_sb_info *sbi) {
  struct autofs_wait_queue *wq = &sbi->wq;

  pthread_mutex_lock(&sbi->wq_mutex);
  if (!sbi->catatonic) {
    sbi->catatonic = 1;
    if (wq->state == WQ_QUEUED) {
      wq->status = -ENOENT;  // NORACE: QUEUED: nobody has taken it, and nobody reads before DONE
      wq->state = WQ_DONE;
    }
    pthread_cond_broadcast(&wq->queue);
  }
  pthread_mutex_unlock(&sbi->wq_mutex);
}

// Is a mount under way that one can wait for? With wq_mutex.
static int autofs_find_wait(struct autofs_wait_queue *wq) {
  if (wq->state != WQ_QUEUED && wq->state != WQ_TAKEN)
    return 0;
  return wq->type == NFY_MOUNT;  // NORACE: QUEUED or TAKEN: it was filled in before
}

// Takes the queue for a request of its own and fills it in; 0, or an error in catatonic mode.
static int autofs_new_wait(struct autofs_sb_info *sbi, int type, int uid) {
  struct autofs_wait_queue *wq = &sbi->wq;

  while (!sbi->catatonic && wq->state != WQ_FREE)
    pthread_cond_wait(&wq->queue, &sbi->wq_mutex);
  if (sbi->catatonic)
    return -ENOENT;
  wq->state = WQ_FILLING;
  wq->wait_ctr = 1;
  pthread_mutex_unlock(&sbi->wq_mutex);

  wq->type = type;  // NORACE: FILLING: the queue is ours until it is QUEUED
  wq->uid = uid;  // NORACE: FILLING: the queue is ours until it is QUEUED
  memcpy(wq->name, "/net", 5);  // NORACE: FILLING: the queue is ours until it is QUEUED

  pthread_mutex_lock(&sbi->wq_mutex);
  wq->state = WQ_QUEUED;
  if (sbi->catatonic) {
    wq->status = -ENOENT;  // NORACE: FILLING: not taken, and nobody reads before DONE
    wq->state = WQ_DONE;
  }
  pthread_cond_broadcast(&wq->queue);
  return 0;
}

static int autofs_wait(struct autofs_sb_info *sbi, int type, int uid) {
  struct autofs_wait_queue *wq = &sbi->wq;
  int status = 0;

  pthread_mutex_lock(&sbi->wq_mutex);
  if (type != NFY_NONE) {
    status = autofs_new_wait(sbi, type, uid);
  } else if (autofs_find_wait(wq)) {
    wq->wait_ctr++;
  } else {
    pthread_mutex_unlock(&sbi->wq_mutex);
    return 0;
  }
  if (status) {
    pthread_mutex_unlock(&sbi->wq_mutex);
    return status;
  }
  while (wq->state != WQ_DONE)
    pthread_cond_wait(&wq->queue, &sbi->wq_mutex);
  pthread_mutex_unlock(&sbi->wq_mutex);

  // Nobody reuses the queue before wait_ctr is zero.
  status = wq->status;  // NORACE: DONE, and reused only when wait_ctr is 0

  pthread_mutex_lock(&sbi->wq_mutex);
  wq->wait_ctr--;
  if (wq->wait_ctr == 0) {
    wq->state = WQ_FREE;
    pthread_cond_broadcast(&wq->queue);
  }
  pthread_mutex_unlock(&sbi->wq_mutex);
  return status;
}

// ---- walking: mounts on demand

// Makes the caller a visitor of the mount, which the daemon mounts if it is not there.
static int autofs_visit(struct autofs_sb_info *sbi, struct autofs_info *ino, int uid) {
  int status;

  pthread_mutex_lock(&sbi->fs_lock);
  while (ino->flags & (AUTOFS_INF_EXPIRING | AUTOFS_INF_PENDING)) {  // NORACE: under fs_lock
    if (ino->flags & AUTOFS_INF_PENDING) {  // NORACE: under fs_lock
      pthread_mutex_unlock(&sbi->fs_lock);
      autofs_wait(sbi, NFY_NONE, uid);
      pthread_mutex_lock(&sbi->fs_lock);
    }
    if (ino->flags & (AUTOFS_INF_EXPIRING | AUTOFS_INF_PENDING))  // NORACE: under fs_lock
      pthread_cond_wait(&ino->expire_complete, &sbi->fs_lock);
  }
  if (ino->flags & AUTOFS_INF_MOUNTED) {  // NORACE: under fs_lock
    ino->count++;  // NORACE: under fs_lock
    pthread_mutex_unlock(&sbi->fs_lock);
    return 0;
  }
  ino->flags |= AUTOFS_INF_PENDING;  // NORACE: under fs_lock
  pthread_mutex_unlock(&sbi->fs_lock);

  status = autofs_wait(sbi, NFY_MOUNT, uid);
  if (!status) {
    // The mount is ours until PENDING is taken away.
    ino->uid = uid;  // NORACE: PENDING: the one who set it owns the mount point
    ino->gid = uid + 100;  // NORACE: PENDING: the one who set it owns the mount point
    sbi->mounted++;  // NORACE: PENDING, and read when s_active is 0
  }

  pthread_mutex_lock(&sbi->fs_lock);
  ino->flags &= ~AUTOFS_INF_PENDING;  // NORACE: under fs_lock
  if (!status) {
    ino->flags |= AUTOFS_INF_MOUNTED;  // NORACE: under fs_lock
    ino->count++;  // NORACE: under fs_lock
  }
  pthread_cond_broadcast(&ino->expire_complete);
  pthread_mutex_unlock(&sbi->fs_lock);
  return status;
}

static void autofs_leave(struct autofs_sb_info *sbi, struct autofs_info *ino) {
  long now = get_jiffies(sbi);

  pthread_mutex_lock(&sbi->fs_lock);
  ino->count--;  // NORACE: under fs_lock
  ino->last_used = now;  // NORACE: under fs_lock
  pthread_mutex_unlock(&sbi->fs_lock);
}

static void *autofs_d_automount(void *arg) {
  struct super_block *sb = arg;
  struct autofs_info *ino = sb->s_root;
  int i, seen = 0;

  for (i = 0; i < 3; i++) {
    if (autofs_visit(sb->s_fs_info, ino, 1) == 0) {
      // Not unmounted with a visitor.
      seen += ino->dev;  // NORACE: count > 0: neither mounted nor unmounted now
      autofs_leave(sb->s_fs_info, ino);
    }
  }
  deactivate_super(sb);
  return seen < 0 ? arg : 0;
}

static void *autofs_dir_open(void *arg) {
  struct super_block *sb = arg;
  struct autofs_info *ino = sb->s_root;
  int i, other = 0;

  for (i = 0; i < 3; i++) {
    if (autofs_visit(sb->s_fs_info, ino, 2) == 0) {
      if (ino->root != 2 && ino->uid != 2)  // NORACE: count > 0: neither mounted nor unmounted now
        other++;
      autofs_leave(sb->s_fs_info, ino);
    }
  }
  deactivate_super(sb);
  return other < 0 ? arg : 0;
}

// ---- expire

// With fs_lock.
static int autofs_can_expire(struct autofs_info *ino, long now) {
  if (ino->flags & (AUTOFS_INF_PENDING | AUTOFS_INF_WANT_EXPIRE))  // NORACE: under fs_lock
    return 0;
  if (!(ino->flags & AUTOFS_INF_MOUNTED) || ino->count > 0)  // NORACE: under fs_lock
    return 0;
  return now - ino->last_used >= TIMEOUT;  // NORACE: under fs_lock
}

// Chooses the mount point and looks again: it may have got a visitor.
static int autofs_expire_direct(struct autofs_sb_info *sbi, struct autofs_info *ino) {
  long now = get_jiffies(sbi);
  int busy;

  pthread_mutex_lock(&sbi->fs_lock);
  if (!autofs_can_expire(ino, now)) {
    pthread_mutex_unlock(&sbi->fs_lock);
    return 0;
  }
  ino->flags |= AUTOFS_INF_WANT_EXPIRE;  // NORACE: under fs_lock
  pthread_mutex_unlock(&sbi->fs_lock);

  // Where synchronize_rcu() was. What is mounted stays mounted, for it is us who expire.
  busy = ino->gid < 100;  // NORACE: WANT_EXPIRE: it is mounted, so nobody has PENDING

  pthread_mutex_lock(&sbi->fs_lock);
  if (busy || ino->count > 0)  // NORACE: under fs_lock
    ino->flags &= ~AUTOFS_INF_WANT_EXPIRE;  // NORACE: under fs_lock
  else
    ino->flags |= AUTOFS_INF_EXPIRING;  // NORACE: under fs_lock
  busy = !(ino->flags & AUTOFS_INF_EXPIRING);  // NORACE: under fs_lock
  pthread_mutex_unlock(&sbi->fs_lock);
  return !busy;
}

static int autofs_do_expire(struct autofs_sb_info *sbi, struct autofs_info *ino) {
  int ret;
  long now;

  if (!autofs_expire_direct(sbi, ino))
    return -EAGAIN;
  ret = autofs_wait(sbi, NFY_EXPIRE, ino->uid);  // NORACE: EXPIRING: nobody has PENDING
  if (!ret)
    sbi->expired++;  // NORACE: only we expire; read when s_active is 0
  now = get_jiffies(sbi);

  pthread_mutex_lock(&sbi->fs_lock);
  ino->last_used = now;  // NORACE: under fs_lock
  ino->flags &= ~(AUTOFS_INF_EXPIRING | AUTOFS_INF_WANT_EXPIRE);  // NORACE: under fs_lock
  if (!ret)
    ino->flags &= ~AUTOFS_INF_MOUNTED;  // NORACE: under fs_lock
  pthread_cond_broadcast(&ino->expire_complete);
  pthread_mutex_unlock(&sbi->fs_lock);
  return ret;
}

static void *autofs_root_ioctl(void *arg) {
  struct super_block *sb = arg;
  struct autofs_sb_info *sbi = sb->s_fs_info;
  int i;

  // There is nothing to expire before the first mount, and only we expire.
  pthread_mutex_lock(&sbi->fs_lock);
  while (!(sb->s_root->flags & AUTOFS_INF_MOUNTED))  // NORACE: under fs_lock
    pthread_cond_wait(&sb->s_root->expire_complete, &sbi->fs_lock);
  pthread_mutex_unlock(&sbi->fs_lock);

  for (i = 0; i < EXPIRE_TRIES; i++)
    autofs_do_expire(sbi, sb->s_root);
  deactivate_super(sb);
  return 0;
}

// ---- the daemon

static struct autofs_wait_queue *autofs_next_request(struct autofs_sb_info *sbi) {
  struct autofs_wait_queue *wq = &sbi->wq;

  pthread_mutex_lock(&sbi->wq_mutex);
  while (!sbi->catatonic && wq->state != WQ_QUEUED)
    pthread_cond_wait(&wq->queue, &sbi->wq_mutex);
  if (sbi->catatonic)
    wq = 0;
  else
    wq->state = WQ_TAKEN;
  pthread_mutex_unlock(&sbi->wq_mutex);
  return wq;
}

static void autofs_wait_release(struct autofs_sb_info *sbi, struct autofs_wait_queue *wq, int status) {
  wq->status = status;  // NORACE: TAKEN: read when it is DONE
  pthread_mutex_lock(&sbi->wq_mutex);
  wq->state = WQ_DONE;
  pthread_cond_broadcast(&wq->queue);
  pthread_mutex_unlock(&sbi->wq_mutex);
}

// Mounts and unmounts; the one who asked holds PENDING or EXPIRING until we have answered.
static int daemon_serve(struct autofs_sb_info *sbi, struct autofs_info *ino, struct autofs_wait_queue *wq) {
  if (sbi->pipefd < 0 || wq->name[0] != '/')  // NORACE: TAKEN: filled in before; pipefd changes when we have gone
    return -ENOENT;
  if (wq->type == NFY_MOUNT) {  // NORACE: TAKEN: filled in before
    ino->dev = ++sbi->last_dev;  // NORACE: TAKEN: who asked holds PENDING or EXPIRING
    ino->root = wq->uid;  // NORACE: TAKEN: who asked holds PENDING or EXPIRING
  } else {
    ino->dev = 0;  // NORACE: TAKEN: who asked holds PENDING or EXPIRING
    ino->root = 0;  // NORACE: TAKEN: who asked holds PENDING or EXPIRING
  }
  return 0;
}

static void *automount_daemon(void *arg) {
  struct super_block *sb = arg;
  struct autofs_sb_info *sbi = sb->s_fs_info;
  struct autofs_wait_queue *wq;
  int served, status;

  for (served = 0; served < REQUESTS_MAX; served++) {
    wq = autofs_next_request(sbi);
    if (!wq)
      break;
    status = daemon_serve(sbi, sb->s_root, wq);
    autofs_wait_release(sbi, wq, status);
  }
  autofs_catatonic_mode(sbi);
  pthread_mutex_lock(&sbi->wq_mutex);
  sbi->daemon_gone = 1;
  pthread_cond_broadcast(&sbi->wq.queue);
  pthread_mutex_unlock(&sbi->wq_mutex);
  return 0;
}

static void *autofs_kill_sb(void *arg) {
  struct super_block *sb = arg;
  struct autofs_sb_info *sbi = sb->s_fs_info;

  pthread_mutex_lock(&sb->s_umount);
  while (sb->s_active > 0)
    pthread_cond_wait(&sb->s_released, &sb->s_umount);
  pthread_mutex_unlock(&sb->s_umount);

  // Nobody walks or expires any more.
  left_mounted = sbi->mounted - sbi->expired;  // NORACE: s_active is 0: nobody walks or expires
  sb->s_root->uid = 0;  // NORACE: s_active is 0: nobody walks or expires
  sb->s_root->gid = 0;  // NORACE: s_active is 0: nobody walks or expires

  autofs_catatonic_mode(sbi);
  pthread_mutex_lock(&sbi->wq_mutex);
  while (!sbi->daemon_gone)
    pthread_cond_wait(&sbi->wq.queue, &sbi->wq_mutex);
  pthread_mutex_unlock(&sbi->wq_mutex);

  // And the daemon has gone.
  sbi->pipefd = -1;  // NORACE: daemon_gone and s_active is 0: we are alone
  sb->s_root->dev = 0;  // NORACE: daemon_gone and s_active is 0: we are alone
  sb->s_root->root = 0;  // NORACE: daemon_gone and s_active is 0: we are alone
  return 0;
}

static void autofs_fill_super(struct super_block *sb, int active) {
  struct autofs_sb_info *sbi = sb->s_fs_info;

  pthread_mutex_init(&sb->s_umount, 0);
  pthread_cond_init(&sb->s_released, 0);
  sb->s_active = active;
  pthread_mutex_init(&sbi->fs_lock, 0);
  pthread_mutex_init(&sbi->wq_mutex, 0);
  pthread_mutex_init(&sbi->clock_lock, 0);
  pthread_cond_init(&sbi->wq.queue, 0);
  pthread_cond_init(&sb->s_root->expire_complete, 0);
  sbi->pipefd = 5;
}

int main(void) {
  pthread_t automount, open, ioctl, server, kill;

  autofs_fill_super(&super, 3);
  pthread_create(&server, 0, automount_daemon, &super);
  pthread_create(&automount, 0, autofs_d_automount, &super);
  pthread_create(&open, 0, autofs_dir_open, &super);
  pthread_create(&ioctl, 0, autofs_root_ioctl, &super);
  pthread_create(&kill, 0, autofs_kill_sb, &super);
  pthread_join(automount, 0);
  pthread_join(open, 0);
  pthread_join(ioctl, 0);
  pthread_join(server, 0);
  pthread_join(kill, 0);
  return left_mounted < 0 || left_mounted > 1;
}
