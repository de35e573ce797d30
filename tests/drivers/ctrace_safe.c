// A tracing library after ctrace: a reader/writer lock made of counters, messages with states, a count of clients.
// The historical library wrote the switch of a thread as a reader of the table (trc_turn_thread_on); here it is the
// writer, so nothing races. Everything is kept apart by hashreads and hashwriter, by the state of a message or of the
// server, and by the number of clients, each of them used only under its mutex.
// LEFT: 10
#include <pthread.h>
#include <string.h>

#define THASH 4
#define UNITS 2
#define NAMELEN 8
#define MSGLEN 16
#define SLOTS 2
#define TRC_LEVELMASK 0x7fu
#define LINES 1000
#define ROUNDS 1000

enum { SRV_STARTING, SRV_LISTENING, SRV_CLOSED };
enum { MSG_FREE, MSG_FILLING, MSG_FULL, MSG_DRAINING };

struct tthread {
  int id;
  char name[NAMELEN];
  int on;
  unsigned level;
  struct tthread *next;
};

struct tunit {
  int on;
  unsigned level;
};

struct tfile {
  int lines;
  char last[MSGLEN];
};

struct tmsg {
  int state;  // under server->lock; whoever moved it to FILLING or DRAINING owns the rest
  int fd;
  int len;
  char buf[MSGLEN];
};

struct tserver {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int state;
  int clients;
  int stopping;
  int put, get, used;
  struct tmsg slot[SLOTS];
  int sockfd;
  int port;
  long bytes;
};

static unsigned trc_on;
static unsigned trc_level;
static struct tthread *trc_table[THASH];
static unsigned trc_numthreads;
static struct tunit trc_unit[UNITS];
static struct tfile trc_files[2];
static struct tfile *trc_fp;
static long trc_total;

static pthread_mutex_t hashmutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t hashcond = PTHREAD_COND_INITIALIZER;
static int hashreads;
static int hashwriter;

static struct tthread first, second;
static struct tserver server;

// The table has many readers or one writer. Both are counts under hashmutex; nobody holds a mutex inside.

static void trc_read_lock(void) {
  pthread_mutex_lock(&hashmutex);
  while (hashwriter)
    pthread_cond_wait(&hashcond, &hashmutex);
  hashreads++;
  pthread_mutex_unlock(&hashmutex);
}

static void trc_read_unlock(void) {
  pthread_mutex_lock(&hashmutex);
  hashreads--;
  if (hashreads == 0)
    pthread_cond_broadcast(&hashcond);
  pthread_mutex_unlock(&hashmutex);
}

static void trc_write_lock(void) {
  pthread_mutex_lock(&hashmutex);
  while (hashwriter || hashreads > 0)
    pthread_cond_wait(&hashcond, &hashmutex);
  hashwriter = 1;
  pthread_mutex_unlock(&hashmutex);
}

static void trc_write_unlock(void) {
  pthread_mutex_lock(&hashmutex);
  hashwriter = 0;
  pthread_cond_broadcast(&hashcond);
  pthread_mutex_unlock(&hashmutex);
}

// Caller is a reader or the writer of the table.
static struct tthread *trc_thread(int id) {
  struct tthread *t = trc_table[id % THASH];  // NORACE: a reader; writers are the writer or come after all clients

  while (t && t->id != id)  // NORACE: a reader; writers are the writer or come after all clients
    t = t->next;  // NORACE: a reader; writers are the writer or come after all clients
  return t;
}

static int trc_valid_level(unsigned level) {
  return (level & ~TRC_LEVELMASK) == 0;
}

// ---- the table of threads

static void trc_add_thread(struct tthread *t, int id, const char *name) {
  int i = id % THASH;

  trc_write_lock();
  if (!trc_thread(id)) {
    t->id = id;  // NORACE: the writer of the table is alone
    strncpy(t->name, name, NAMELEN - 1);  // NORACE: the writer of the table is alone
    t->on = (int)trc_on;  // NORACE: the writer of the table is alone
    t->level = trc_level;  // NORACE: the writer of the table is alone
    t->next = trc_table[i];  // NORACE: the writer of the table is alone
    trc_table[i] = t;  // NORACE: the writer of the table is alone
    trc_numthreads++;  // NORACE: the writer of the table is alone
  }
  trc_write_unlock();
}

static int trc_remove_thread(int id) {
  struct tthread **link;
  int ret = 1;

  trc_write_lock();
  for (link = &trc_table[id % THASH]; *link; link = &(*link)->next) {  // NORACE: the writer of the table is alone
    if ((*link)->id == id) {  // NORACE: the writer of the table is alone
      *link = (*link)->next;  // NORACE: the writer of the table is alone
      trc_numthreads--;  // NORACE: the writer of the table is alone
      ret = 0;
      break;
    }
  }
  trc_write_unlock();
  return ret;
}

static int trc_turn_thread_on(int id) {
  struct tthread *t;
  int ret = 1;

  trc_write_lock();
  t = trc_thread(id);
  if (t) {
    t->on = 1;  // NORACE: the writer of the table is alone
    ret = 0;
  }
  trc_write_unlock();
  return ret;
}

static int trc_set_level(unsigned level) {
  struct tthread *t;
  int i;

  if (!trc_valid_level(level))
    return 1;
  trc_write_lock();
  trc_level = level;  // NORACE: the writer of the table is alone
  for (i = 0; i < THASH; i++) {
    for (t = trc_table[i]; t; t = t->next)  // NORACE: the writer of the table is alone
      t->level = level;  // NORACE: the writer of the table is alone
  }
  trc_write_unlock();
  return 0;
}

static int trc_set_unit(unsigned i, int on, unsigned level) {
  if (i >= UNITS || !trc_valid_level(level))
    return 1;
  trc_write_lock();
  trc_unit[i].on = on;  // NORACE: the writer of the table is alone
  trc_unit[i].level = level;  // NORACE: the writer of the table is alone
  trc_write_unlock();
  return 0;
}

// Another file for what is traced from now on. The server writes to the file as a reader of the table.
static void trc_file(struct tfile *file) {
  trc_write_lock();
  file->lines = 0;  // NORACE: the writer is alone, and the server writes to the file as a reader
  file->last[0] = '\0';  // NORACE: the writer is alone, and the server writes to the file as a reader
  trc_fp = file;  // NORACE: the writer of the table is alone
  trc_write_unlock();
}

// ---- messages to the server

// A message to fill in, or a null pointer when the server has gone. With used < SLOTS the next one is free, for the
// server gives messages back in their order.
static struct tmsg *msg_reserve(struct tserver *srv) {
  struct tmsg *m = 0;

  pthread_mutex_lock(&srv->lock);
  while (srv->state == SRV_LISTENING && srv->used == SLOTS)
    pthread_cond_wait(&srv->changed, &srv->lock);
  if (srv->state == SRV_LISTENING) {
    m = &srv->slot[srv->put];
    m->state = MSG_FILLING;
    srv->put = (srv->put + 1) % SLOTS;
    srv->used++;
  }
  pthread_mutex_unlock(&srv->lock);
  return m;
}

static void msg_commit(struct tserver *srv, struct tmsg *m) {
  pthread_mutex_lock(&srv->lock);
  m->state = MSG_FULL;
  pthread_cond_broadcast(&srv->changed);
  pthread_mutex_unlock(&srv->lock);
}

// The oldest message once it is full; a null pointer when the server is to stop and nothing is left.
static struct tmsg *msg_next(struct tserver *srv) {
  struct tmsg *m;

  pthread_mutex_lock(&srv->lock);
  m = &srv->slot[srv->get];
  while (m->state != MSG_FULL && !(srv->stopping && srv->used == 0))
    pthread_cond_wait(&srv->changed, &srv->lock);
  if (m->state == MSG_FULL)
    m->state = MSG_DRAINING;
  else
    m = 0;
  pthread_mutex_unlock(&srv->lock);
  return m;
}

static void msg_done(struct tserver *srv, struct tmsg *m) {
  pthread_mutex_lock(&srv->lock);
  m->state = MSG_FREE;
  srv->get = (srv->get + 1) % SLOTS;
  srv->used--;
  pthread_cond_broadcast(&srv->changed);
  pthread_mutex_unlock(&srv->lock);
}

static void trc_send(struct tserver *srv, const char *name, int line) {
  struct tmsg *m = msg_reserve(srv);

  if (!m)
    return;
  m->fd = srv->sockfd;  // NORACE: FILLING: only who reserved it has it; and the server listens while there are clients
  strncpy(m->buf, name, NAMELEN - 1);  // NORACE: FILLING: only who reserved the message has it
  m->buf[NAMELEN] = (char)('0' + line % 10);  // NORACE: FILLING: only who reserved the message has it
  m->len = NAMELEN + 1;  // NORACE: FILLING: only who reserved the message has it
  msg_commit(srv, m);
}

static void trc_trace(struct tserver *srv, int id, unsigned i, unsigned level, int line) {
  struct tthread *t;
  int unit, thread;

  trc_read_lock();
  t = trc_thread(id);
  if (!t || !trc_fp) {  // NORACE: a reader; writers are the writer or come after all clients
    trc_read_unlock();
    return;
  }
  unit = i < UNITS && trc_unit[i].on && (trc_unit[i].level & level) != 0;  // NORACE: a reader, as above
  thread = (t->level & level) != 0;  // NORACE: a reader, and levels are written by the writer
  if (!t->on)  // NORACE: a reader, and switches are written by the writer
    thread = 0;
  if (unit || thread)
    trc_send(srv, t->name, line);
  trc_read_unlock();
}

// ---- clients: what uses the library. trc_init() has counted them before any of them runs.

static int trc_start_client(struct tserver *srv) {
  int ok;

  pthread_mutex_lock(&srv->lock);
  while (srv->state == SRV_STARTING)
    pthread_cond_wait(&srv->changed, &srv->lock);
  ok = srv->state == SRV_LISTENING;
  pthread_mutex_unlock(&srv->lock);
  return ok && srv->port == 2013;  // NORACE: the server listens, and set it before
}

static void trc_stop_client(struct tserver *srv) {
  pthread_mutex_lock(&srv->lock);
  srv->clients--;
  pthread_cond_broadcast(&srv->changed);
  pthread_mutex_unlock(&srv->lock);
}

static void *thread1(void *arg) {
  struct tserver *srv = arg;
  int line;

  if (trc_start_client(srv)) {
    trc_add_thread(&first, 1, "thread1");
    for (line = 0; line < LINES; line++)
      trc_trace(srv, 1, 0, 1u << (line % 7), line);
    trc_remove_thread(1);
  }
  trc_stop_client(srv);
  return 0;
}

static void *thread2(void *arg) {
  struct tserver *srv = arg;
  int line;

  if (trc_start_client(srv)) {
    trc_add_thread(&second, 5, "thread2");
    for (line = 0; line < LINES; line++)
      trc_trace(srv, 5, 1, 2u << (line % 5), line);
    trc_remove_thread(5);
  }
  trc_stop_client(srv);
  return 0;
}

static void *trc_control(void *arg) {
  struct tserver *srv = arg;
  int round;

  if (trc_start_client(srv)) {
    for (round = 0; round < ROUNDS; round++) {
      trc_turn_thread_on(1);
      trc_turn_thread_on(5);
      if (round % 8 == 0)
        trc_set_unit((unsigned)round / 8 % UNITS, 1, 4u);
      if (round % 8 == 3)
        trc_set_level(1u << (round % 3));
      if (round % 8 == 6)
        trc_file(&trc_files[round / 8 % 2]);
    }
  }
  trc_stop_client(srv);
  return 0;
}

static void *trc_start_server(void *arg) {
  struct tserver *srv = arg;
  struct tmsg *m;

  // Clients look at these only when the server listens.
  srv->sockfd = 3;  // NORACE: STARTING: nobody looks before the server listens
  srv->port = 2013;  // NORACE: STARTING: nobody looks before the server listens
  pthread_mutex_lock(&srv->lock);
  srv->state = SRV_LISTENING;
  pthread_cond_broadcast(&srv->changed);
  pthread_mutex_unlock(&srv->lock);

  while ((m = msg_next(srv)) != 0) {
    trc_read_lock();
    memcpy(trc_fp->last, m->buf, MSGLEN);  // NORACE: DRAINING: only the server has it; no other reader touches the file
    trc_fp->lines++;  // NORACE: a reader, and no other reader touches the file
    trc_read_unlock();
    if (m->fd >= 0)  // NORACE: DRAINING: only the server has the message
      srv->bytes += m->len;  // NORACE: DRAINING: only the server has the message; and it is read once CLOSED
    msg_done(srv, m);
  }

  // To be stopped means that no client is left.
  srv->sockfd = -1;  // NORACE: stopping: no client is left
  pthread_mutex_lock(&srv->lock);
  srv->state = SRV_CLOSED;
  pthread_cond_broadcast(&srv->changed);
  pthread_mutex_unlock(&srv->lock);
  return 0;
}

static void *trc_end(void *arg) {
  struct tserver *srv = arg;
  int i;

  pthread_mutex_lock(&srv->lock);
  while (srv->clients > 0)
    pthread_cond_wait(&srv->changed, &srv->lock);
  srv->stopping = 1;
  pthread_cond_broadcast(&srv->changed);
  pthread_mutex_unlock(&srv->lock);

  // Without clients nobody uses the table but us: no need to lock it.
  for (i = 0; i < THASH; i++)
    trc_table[i] = 0;  // NORACE: clients is 0: no thread uses the table any more
  trc_numthreads = 0;  // NORACE: clients is 0: no thread uses the table any more
  for (i = 0; i < UNITS; i++)
    trc_unit[i].on = 0;  // NORACE: clients is 0: no thread uses the table any more
  trc_level = 0;  // NORACE: clients is 0: no thread uses the table any more

  pthread_mutex_lock(&srv->lock);
  while (srv->state != SRV_CLOSED)
    pthread_cond_wait(&srv->changed, &srv->lock);
  pthread_mutex_unlock(&srv->lock);
  // The server has closed: it writes neither to the file nor to its statistics.
  trc_fp = 0;  // NORACE: CLOSED: the server has ended, and clients is 0
  trc_total = srv->bytes;  // NORACE: CLOSED: the server counts no more
  return 0;
}

static void trc_init(struct tserver *srv, int clients) {
  int i;

  trc_on = 1;
  trc_level = 1;
  trc_fp = &trc_files[0];
  for (i = 0; i < UNITS; i++)
    trc_unit[i].level = TRC_LEVELMASK;
  pthread_mutex_init(&srv->lock, 0);
  pthread_cond_init(&srv->changed, 0);
  srv->clients = clients;
}

int main(void) {
  pthread_t serve, one, two, control, end;

  trc_init(&server, 3);
  pthread_create(&one, 0, thread1, &server);
  pthread_create(&two, 0, thread2, &server);
  pthread_create(&control, 0, trc_control, &server);
  pthread_create(&serve, 0, trc_start_server, &server);
  pthread_create(&end, 0, trc_end, &server);
  pthread_join(serve, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_join(control, 0);
  pthread_join(end, 0);
  return trc_total < 0;
}
