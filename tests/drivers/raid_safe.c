// A mirrored disk array, after Linux drivers/md/raid1.c: barrier and pending counts, a frozen array, requests that are
// handed from the submitter to the interrupt to the array's thread by their state, and a device that is suspended.
// Few of the accesses below have a lock in common. `degraded` has: every change of it is made under device_lock.
// In the Linux of 2006 the error handler counted it up without that lock ("md: Improve locking around error handling");
// raid_racy.c has that race.
// LEFT: 39
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#define RAID_DISKS 2
#define NR_SECTORS 4
#define NR_R1BIOS 3
#define NR_REQUESTS 40
#define NR_WINDOWS 2
#define NR_PASSES 4
#define NR_IOCTLS 100

enum r1bio_state { R1BIO_FREE, R1BIO_PREPARED, R1BIO_IN_FLIGHT, R1BIO_RETRY };

struct md_rdev {
  int raid_disk;
  int in_sync;  // device_lock
  int faulty;   // device_lock
  int recovery_offset;  // device_lock
};

struct mirror {
  struct md_rdev* rdev;
  int head_position;
  int sectors[NR_SECTORS];
};

struct r1bio {
  enum r1bio_state state;  // device_lock
  int sector;
  int payload;
  int behind_remaining;
  int error;
  struct r1bio* retry_next;  // device_lock
};

struct mddev {
  struct r1conf* private;
  pthread_mutex_t lock;
  pthread_cond_t sb_wait;
  int suspended;        // lock
  int active_io;        // lock
  int sync_running;     // lock
  int degraded;         // device_lock of the personality
  int array_sectors;    // submitters read it, whoever has suspended the device may change it
  int curr_resync;      // whoever set sync_running, else whoever holds lock
  int recovery_cp;
};

struct r1conf {
  struct mddev* mddev;
  struct mirror mirrors[RAID_DISKS];
  pthread_mutex_t device_lock;
  pthread_cond_t wait_io;
  struct r1bio* retry_list;  // device_lock
  int submit_done, irq_done;  // device_lock
  struct r1bio pool[NR_R1BIOS];
  pthread_mutex_t resync_lock;
  pthread_cond_t wait_barrier;
  int nr_pending;       // all of these: resync_lock
  int nr_waiting;
  int nr_queued;
  int nr_sync_pending;
  int barrier;
  int array_frozen;
  int tmppage;          // for who has the disks to itself: a resync window, or the thread while all is frozen
  int corrected_errors;
};

static struct md_rdev rdevs[RAID_DISKS];
static struct r1conf raid1_conf;
static struct mddev md0;

static int sector_to_idx(unsigned sector) { return sector % NR_SECTORS; }

/* Barriers: normal requests are counted in nr_pending, resync raises `barrier` and waits until none is left. */

static void raise_barrier(struct r1conf* conf) {
  pthread_mutex_lock(&conf->resync_lock);
  while (conf->nr_waiting)
    pthread_cond_wait(&conf->wait_barrier, &conf->resync_lock);
  conf->barrier++;  // no new request starts from here on
  while (conf->array_frozen || conf->nr_pending)
    pthread_cond_wait(&conf->wait_barrier, &conf->resync_lock);
  conf->nr_sync_pending++;
  pthread_mutex_unlock(&conf->resync_lock);
}

static void lower_barrier(struct r1conf* conf) {
  pthread_mutex_lock(&conf->resync_lock);
  conf->barrier--;
  conf->nr_sync_pending--;
  pthread_cond_broadcast(&conf->wait_barrier);
  pthread_mutex_unlock(&conf->resync_lock);
}

static void wait_barrier(struct r1conf* conf) {
  pthread_mutex_lock(&conf->resync_lock);
  if (conf->array_frozen || conf->barrier) {
    conf->nr_waiting++;
    while (conf->array_frozen || conf->barrier)
      pthread_cond_wait(&conf->wait_barrier, &conf->resync_lock);
    conf->nr_waiting--;
    pthread_cond_broadcast(&conf->wait_barrier);
  }
  conf->nr_pending++;
  pthread_mutex_unlock(&conf->resync_lock);
}

static void allow_barrier(struct r1conf* conf) {
  pthread_mutex_lock(&conf->resync_lock);
  conf->nr_pending--;
  pthread_cond_broadcast(&conf->wait_barrier);
  pthread_mutex_unlock(&conf->resync_lock);
}

/* Waits until every request but `extra` of the caller is done or queued for a retry. */
static void freeze_array(struct r1conf* conf, int extra) {
  pthread_mutex_lock(&conf->resync_lock);
  conf->array_frozen = 1;
  while (conf->nr_sync_pending + conf->nr_pending - conf->nr_queued != extra)
    pthread_cond_wait(&conf->wait_barrier, &conf->resync_lock);
  pthread_mutex_unlock(&conf->resync_lock);
}

static void unfreeze_array(struct r1conf* conf) {
  pthread_mutex_lock(&conf->resync_lock);
  conf->array_frozen = 0;
  pthread_cond_broadcast(&conf->wait_barrier);
  pthread_mutex_unlock(&conf->resync_lock);
}

/* Requests */

/* With device_lock held. */
static struct r1bio* find_r1bio(struct r1conf* conf, enum r1bio_state state) {
  for (int i = 0; i < NR_R1BIOS; i++)
    if (conf->pool[i].state == state) return &conf->pool[i];  // NORACE: under device_lock
  return NULL;
}

static struct r1bio* alloc_r1bio(struct r1conf* conf) {
  struct r1bio* r1_bio;
  pthread_mutex_lock(&conf->device_lock);
  while ((r1_bio = find_r1bio(conf, R1BIO_FREE)) == NULL)
    pthread_cond_wait(&conf->wait_io, &conf->device_lock);
  r1_bio->state = R1BIO_PREPARED;  // NORACE: under device_lock
  pthread_mutex_unlock(&conf->device_lock);
  return r1_bio;
}

static void raid_end_bio_io(struct r1conf* conf, struct r1bio* r1_bio) {
  r1_bio->behind_remaining = 0;  // NORACE: the request is in flight or off the retry list: one owner
  r1_bio->payload = 0;  // NORACE: the same; FREE comes after it
  pthread_mutex_lock(&conf->device_lock);
  r1_bio->state = R1BIO_FREE;  // NORACE: under device_lock
  pthread_cond_broadcast(&conf->wait_io);
  pthread_mutex_unlock(&conf->device_lock);
  allow_barrier(conf);
}

static void reschedule_retry(struct r1conf* conf, struct r1bio* r1_bio) {
  pthread_mutex_lock(&conf->device_lock);
  r1_bio->state = R1BIO_RETRY;  // NORACE: under device_lock
  r1_bio->retry_next = conf->retry_list;  // NORACE: under device_lock
  conf->retry_list = r1_bio;  // NORACE: under device_lock
  pthread_mutex_lock(&conf->resync_lock);
  conf->nr_queued++;
  pthread_cond_broadcast(&conf->wait_barrier);
  pthread_mutex_unlock(&conf->resync_lock);
  pthread_cond_broadcast(&conf->wait_io);
  pthread_mutex_unlock(&conf->device_lock);
}

static void raid1_error(struct mddev* mddev, struct md_rdev* rdev) {
  struct r1conf* conf = mddev->private;
  int was_in_sync;
  pthread_mutex_lock(&conf->device_lock);
  was_in_sync = rdev->in_sync;  // NORACE: under device_lock
  rdev->in_sync = 0;  // NORACE: under device_lock
  rdev->faulty = 1;  // NORACE: under device_lock
  if (was_in_sync)
    mddev->degraded++;  // NORACE: under device_lock
  pthread_mutex_unlock(&conf->device_lock);
  fprintf(stderr, "raid1: disk failure on %d, disabling device\n", rdev->raid_disk);
}

/* What was resynced to its end is in use again. */
static void raid1_spare_active(struct mddev* mddev) {
  struct r1conf* conf = mddev->private;
  int count = 0;
  pthread_mutex_lock(&conf->device_lock);
  for (int i = 0; i < RAID_DISKS; i++) {
    struct md_rdev* rdev = conf->mirrors[i].rdev;
    if (rdev->faulty && rdev->recovery_offset == NR_SECTORS) {  // NORACE: under device_lock
      rdev->faulty = 0;  // NORACE: under device_lock
      rdev->in_sync = 1;  // NORACE: under device_lock
      count++;
    }
  }
  mddev->degraded -= count;  // NORACE: under device_lock
  pthread_mutex_unlock(&conf->device_lock);
}

static int raid1_write_request(struct r1conf* conf, int sector, int value) {
  struct r1bio* r1_bio = alloc_r1bio(conf);
  int usable;

  r1_bio->sector = sector;  // NORACE: PREPARED belongs to the submitter
  r1_bio->payload = value;  // NORACE: the same
  r1_bio->error = 0;  // NORACE: the same
  r1_bio->behind_remaining = RAID_DISKS;  // NORACE: the same
  wait_barrier(conf);

  pthread_mutex_lock(&conf->device_lock);
  usable = RAID_DISKS - conf->mddev->degraded;  // NORACE: under device_lock
  if (usable > 0)
    r1_bio->state = R1BIO_IN_FLIGHT;  // NORACE: under device_lock
  else
    r1_bio->state = R1BIO_FREE;  // NORACE: under device_lock
  pthread_cond_broadcast(&conf->wait_io);
  pthread_mutex_unlock(&conf->device_lock);
  if (usable > 0) return 0;
  allow_barrier(conf);
  return -EIO;
}

/* md_handle_request: the device is not reconfigured while active_io says that a request is being made. */
static void* md_submit(void* arg) {
  struct mddev* mddev = arg;
  struct r1conf* conf = mddev->private;
  long errors = 0;

  for (int i = 0; i < NR_REQUESTS; i++) {
    int sector;

    pthread_mutex_lock(&mddev->lock);
    while (mddev->suspended)
      pthread_cond_wait(&mddev->sb_wait, &mddev->lock);
    mddev->active_io++;
    pthread_mutex_unlock(&mddev->lock);

    sector = i % mddev->array_sectors;  // NORACE: active_io > 0, and who suspends waits for 0
    if (raid1_write_request(conf, sector, 100 + i) < 0) errors++;

    pthread_mutex_lock(&mddev->lock);
    mddev->active_io--;
    pthread_cond_broadcast(&mddev->sb_wait);
    pthread_mutex_unlock(&mddev->lock);
  }

  pthread_mutex_lock(&conf->device_lock);
  conf->submit_done = 1;
  pthread_cond_broadcast(&conf->wait_io);
  pthread_mutex_unlock(&conf->device_lock);
  return (void*)errors;
}

static struct r1bio* next_in_flight(struct r1conf* conf) {
  struct r1bio* r1_bio;
  pthread_mutex_lock(&conf->device_lock);
  while ((r1_bio = find_r1bio(conf, R1BIO_IN_FLIGHT)) == NULL && !conf->submit_done)
    pthread_cond_wait(&conf->wait_io, &conf->device_lock);
  if (!r1_bio) {
    conf->irq_done = 1;
    pthread_cond_broadcast(&conf->wait_io);
  }
  pthread_mutex_unlock(&conf->device_lock);
  return r1_bio;
}

/* The interrupt of the disks: whatever is in flight is pending, so no resync window is open and nothing is frozen. */
static void* raid1_end_write_request(void* arg) {
  struct r1conf* conf = arg;
  struct r1bio* r1_bio;
  while ((r1_bio = next_in_flight(conf)) != NULL) {
    int idx = sector_to_idx(r1_bio->sector);  // NORACE: IN_FLIGHT belongs to the interrupt
    for (int m = 0; m < RAID_DISKS; m++) {
      struct mirror* mirror = &conf->mirrors[m];
      if (m == 1 && (idx & 1)) {
        r1_bio->error = 1;  // NORACE: IN_FLIGHT belongs to the interrupt
        raid1_error(conf->mddev, mirror->rdev);
        continue;
      }
      mirror->sectors[idx] = r1_bio->payload;  // NORACE: pending and not queued keeps resync and retries out
      mirror->head_position = idx + 1;  // NORACE: the same
      r1_bio->behind_remaining--;  // NORACE: IN_FLIGHT belongs to the interrupt
    }
    if (r1_bio->error)  // NORACE: still in flight
      reschedule_retry(conf, r1_bio);
    else
      raid_end_bio_io(conf, r1_bio);
  }
  return NULL;
}

/* Writes once more what did not reach all disks, with all else out of the way. */
static void handle_write_finished(struct r1conf* conf, struct r1bio* r1_bio) {
  int idx = sector_to_idx(r1_bio->sector);  // NORACE: taken off the retry list

  freeze_array(conf, 1);
  conf->tmppage = r1_bio->payload;  // NORACE: frozen: no window is open
  for (int m = 0; m < RAID_DISKS; m++) {
    struct mirror* mirror = &conf->mirrors[m];
    if (mirror->sectors[idx] == conf->tmppage) continue;  // NORACE: frozen, and taken off the list
    mirror->sectors[idx] = conf->tmppage;  // NORACE: the same
    mirror->head_position = idx + 1;  // NORACE: the same
    conf->corrected_errors++;  // NORACE: frozen: no window is open
  }
  unfreeze_array(conf);
}

static void* raid1d(void* arg) {
  struct mddev* mddev = arg;
  struct r1conf* conf = mddev->private;

  for (;;) {
    struct r1bio* r1_bio;

    pthread_mutex_lock(&conf->device_lock);
    while (!conf->retry_list && !conf->irq_done)
      pthread_cond_wait(&conf->wait_io, &conf->device_lock);
    r1_bio = conf->retry_list;  // NORACE: under device_lock
    if (!r1_bio) {
      pthread_mutex_unlock(&conf->device_lock);
      return NULL;
    }
    conf->retry_list = r1_bio->retry_next;  // NORACE: under device_lock
    pthread_mutex_lock(&conf->resync_lock);
    conf->nr_queued--;
    pthread_mutex_unlock(&conf->resync_lock);
    pthread_mutex_unlock(&conf->device_lock);

    handle_write_finished(conf, r1_bio);
    raid_end_bio_io(conf, r1_bio);
  }
}

/* One window of the resync: its barrier keeps all requests out, also those that wait for a retry. */
static void raid1_sync_request(struct r1conf* conf, int first, int nr) {
  raise_barrier(conf);
  for (int sector = first; sector < first + nr; sector++) {
    struct mirror* good = &conf->mirrors[0];
    struct mirror* mirror = &conf->mirrors[1];
    conf->tmppage = good->sectors[sector];  // NORACE: the barrier is up and nothing is pending
    if (mirror->sectors[sector] != conf->tmppage) {  // NORACE: the same
      mirror->sectors[sector] = conf->tmppage;  // NORACE: the same
      conf->corrected_errors++;  // NORACE: the same
    }
    good->head_position = sector + 1;  // NORACE: the same
    mirror->head_position = sector + 1;  // NORACE: the same
  }
  lower_barrier(conf);
}

static void* md_do_sync(void* arg) {
  struct mddev* mddev = arg;
  struct r1conf* conf = mddev->private;
  struct md_rdev* rdev = conf->mirrors[1].rdev;

  pthread_mutex_lock(&mddev->lock);
  mddev->sync_running = 1;
  pthread_mutex_unlock(&mddev->lock);

  for (int window = 0; window < NR_PASSES * NR_WINDOWS; window++) {
    int nr = NR_SECTORS / NR_WINDOWS;
    raid1_sync_request(conf, window % NR_WINDOWS * nr, nr);
    mddev->curr_resync = (window % NR_WINDOWS + 1) * nr;  // NORACE: others look at it only while sync_running is 0
    pthread_mutex_lock(&conf->device_lock);
    rdev->recovery_offset = mddev->curr_resync;  // NORACE: no one else while sync_running; and under device_lock
    pthread_mutex_unlock(&conf->device_lock);
  }
  mddev->recovery_cp = mddev->curr_resync;  // NORACE: others look at both only while sync_running is 0

  pthread_mutex_lock(&mddev->lock);
  mddev->sync_running = 0;
  pthread_mutex_unlock(&mddev->lock);
  return NULL;
}

/* Resizes: stops new requests, waits for those being made, and has the geometry to itself. */
static void update_array_sectors(struct mddev* mddev, int sectors) {
  pthread_mutex_lock(&mddev->lock);
  mddev->suspended = 1;
  while (mddev->active_io)
    pthread_cond_wait(&mddev->sb_wait, &mddev->lock);
  pthread_mutex_unlock(&mddev->lock);

  mddev->array_sectors = sectors;  // NORACE: suspended, and no request is being made

  pthread_mutex_lock(&mddev->lock);
  mddev->suspended = 0;
  pthread_cond_broadcast(&mddev->sb_wait);
  pthread_mutex_unlock(&mddev->lock);
}

static void* md_ioctl(void* arg) {
  struct mddev* mddev = arg;

  for (int i = 0; i < NR_IOCTLS; i++) {
    update_array_sectors(mddev, NR_SECTORS / (1 + i % 2));
    raid1_spare_active(mddev);

    pthread_mutex_lock(&mddev->lock);
    if (!mddev->sync_running && mddev->recovery_cp < NR_SECTORS)  // NORACE: no sync runs
      mddev->curr_resync = 0;  // NORACE: no sync runs, and none starts under the lock
    pthread_mutex_unlock(&mddev->lock);
  }
  return NULL;
}

static void raid1_setup(struct mddev* mddev, struct r1conf* conf) {
  mddev->private = conf;
  mddev->array_sectors = NR_SECTORS / 2;
  pthread_mutex_init(&mddev->lock, NULL);
  pthread_cond_init(&mddev->sb_wait, NULL);
  conf->mddev = mddev;
  pthread_mutex_init(&conf->device_lock, NULL);
  pthread_mutex_init(&conf->resync_lock, NULL);
  pthread_cond_init(&conf->wait_io, NULL);
  pthread_cond_init(&conf->wait_barrier, NULL);
  for (int i = 0; i < RAID_DISKS; i++) {
    rdevs[i].raid_disk = i;
    rdevs[i].in_sync = 1;
    conf->mirrors[i].rdev = &rdevs[i];
  }
}

int main(void) {
  pthread_t submitter, irq, thread, sync, ioctl;
  void* errors;

  raid1_setup(&md0, &raid1_conf);
  pthread_create(&sync, NULL, md_do_sync, &md0);
  pthread_create(&submitter, NULL, md_submit, &md0);
  pthread_create(&irq, NULL, raid1_end_write_request, &raid1_conf);
  pthread_create(&thread, NULL, raid1d, &md0);
  pthread_create(&ioctl, NULL, md_ioctl, &md0);
  pthread_join(submitter, &errors);
  pthread_join(irq, NULL);
  pthread_join(thread, NULL);
  pthread_join(sync, NULL);
  pthread_join(ioctl, NULL);
  printf("raid1: %d of %d disks, %d errors corrected, %ld requests failed\n", RAID_DISKS - md0.degraded, RAID_DISKS,
         raid1_conf.corrected_errors, (long)errors);
  return 0;
}
