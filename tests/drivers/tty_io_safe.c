// A pty pair, after Linux drivers/tty/tty_io.c and tty_ldisc.c: line discipline references against a change of the
// discipline, a flip buffer whose positions are counted under its lock, a busy flag of writers, a port that the first
// open starts and the last close shuts down. Few of the accesses below have a lock in common. `pgrp` has: the ctrl_lock
// of the slave. In Linux until 2020 tiocspgrp() took the ctrl_lock of the side the ioctl came from ("tty: Fix ->pgrp
// locking in tiocspgrp()", CVE-2020-29661); tty_io_racy.c has that race.
// LEFT: 22
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#define N_TTY_BUF_SIZE 16
#define FLIP_SIZE 4
#define WRITE_CHUNK 8
#define NR_WRITES 6
#define NR_RECEIVED 12
#define NR_IOCTLS 8

enum { PTY_SLAVE, PTY_MASTER };

struct n_tty_data {
  int column;     // of the writer that holds a reference and the write lock
  unsigned read_head;  // of flush_to_ldisc while it holds a reference
  char read_buf[N_TTY_BUF_SIZE];
};

struct ktermios {
  int c_line;
  int c_ospeed;
  int c_iflag;
};

struct tty_bufhead {
  pthread_mutex_t lock;
  pthread_cond_t data_ready;
  unsigned head, tail;  // lock: what lies between them belongs to the reader, the rest to the interrupt
  int overrun;     // lock
  int closed;      // lock
  char data[FLIP_SIZE];
};

struct tty_port {
  pthread_mutex_t mutex;
  pthread_cond_t open_wait;
  int count;         // mutex
  int initializing;  // mutex
  int closing;       // mutex
  int divisor;       // written by the first open and the last close, read by who has it open
  int fifo_size;     // the same
  struct tty_bufhead buf;
};

struct tty_struct {
  int subtype;
  struct tty_struct* link;
  struct tty_port* port;

  pthread_mutex_t ldisc_sem;
  pthread_cond_t ldisc_wait;
  int ldisc_users;     // ldisc_sem
  int ldisc_changing;  // ldisc_sem
  int hupped;          // ldisc_sem
  struct n_tty_data disc_data;
  struct ktermios termios;

  pthread_mutex_t atomic_write_lock;
  pthread_cond_t write_wait;
  int write_busy;  // atomic_write_lock
  int write_cnt;   // who set write_busy
  char write_buf[WRITE_CHUNK];

  pthread_mutex_t ctrl_lock;
  int pgrp;  // ctrl_lock
};

struct file {
  struct tty_struct* private_data;
  int pid;
};

static struct tty_port pty_ports[2];  // of the slave, of the master
static struct tty_struct pty_slave, pty_master;

/* References to the line discipline: shared among users, exclusive for a change. */

static int tty_ldisc_ref_wait(struct tty_struct* tty) {
  int ok;

  pthread_mutex_lock(&tty->ldisc_sem);
  while (tty->ldisc_changing)
    pthread_cond_wait(&tty->ldisc_wait, &tty->ldisc_sem);
  ok = !tty->hupped;
  if (ok) tty->ldisc_users++;
  pthread_mutex_unlock(&tty->ldisc_sem);
  return ok;
}

static void tty_ldisc_deref(struct tty_struct* tty) {
  pthread_mutex_lock(&tty->ldisc_sem);
  if (--tty->ldisc_users == 0) pthread_cond_broadcast(&tty->ldisc_wait);
  pthread_mutex_unlock(&tty->ldisc_sem);
}

static int tty_ldisc_lock(struct tty_struct* tty) {
  int ret = 0;

  pthread_mutex_lock(&tty->ldisc_sem);
  while (tty->ldisc_changing)
    pthread_cond_wait(&tty->ldisc_wait, &tty->ldisc_sem);
  if (tty->hupped) {
    ret = -EIO;
  } else {
    tty->ldisc_changing = 1;  // no new users from here on
    while (tty->ldisc_users > 0)
      pthread_cond_wait(&tty->ldisc_wait, &tty->ldisc_sem);
  }
  pthread_mutex_unlock(&tty->ldisc_sem);
  return ret;
}

static void tty_ldisc_unlock(struct tty_struct* tty, int hupped) {
  pthread_mutex_lock(&tty->ldisc_sem);
  tty->hupped = hupped;
  tty->ldisc_changing = 0;
  pthread_cond_broadcast(&tty->ldisc_wait);
  pthread_mutex_unlock(&tty->ldisc_sem);
}

/* With the discipline locked: nobody has a reference. */
static void tty_ldisc_reinit(struct tty_struct* tty, int disc) {
  tty->termios.c_line = disc;  // NORACE: ldisc_changing, and no reference is left
  tty->disc_data.column = 0;  // NORACE: the same
  tty->disc_data.read_head = 0;  // NORACE: the same
  for (int i = 0; i < N_TTY_BUF_SIZE; i++)
    tty->disc_data.read_buf[i] = 0;  // NORACE: the same
}

/* Writers: one at a time, by a flag, since the driver may sleep. */

static void tty_write_lock(struct tty_struct* tty) {
  pthread_mutex_lock(&tty->atomic_write_lock);
  while (tty->write_busy)
    pthread_cond_wait(&tty->write_wait, &tty->atomic_write_lock);
  tty->write_busy = 1;
  pthread_mutex_unlock(&tty->atomic_write_lock);
}

static void tty_write_unlock(struct tty_struct* tty) {
  pthread_mutex_lock(&tty->atomic_write_lock);
  tty->write_busy = 0;
  pthread_cond_signal(&tty->write_wait);
  pthread_mutex_unlock(&tty->atomic_write_lock);
}

static void do_tty_write(struct tty_struct* tty, int c) {
  tty->write_cnt = 0;  // NORACE: write_busy is ours
  for (int i = 0; i < WRITE_CHUNK - 1; i++) {
    tty->write_buf[i] = (char)(c + i);  // NORACE: write_busy is ours
    tty->write_cnt++;  // NORACE: write_busy is ours
  }
  tty->disc_data.column += tty->write_cnt;  // NORACE: a reference keeps changes out, write_busy other writers
  if (tty->termios.c_ospeed == 0) tty->write_cnt = 0;  // NORACE: the same
}

static void tty_send_xchar(struct tty_struct* tty, char c) {
  tty_write_lock(tty);
  tty->write_buf[0] = c;  // NORACE: write_busy is ours
  tty->write_cnt = 1;  // NORACE: write_busy is ours
  tty_write_unlock(tty);
}

/* The port: count, initializing and closing say who may touch the hardware. */

static void tty_port_open(struct tty_port* port) {
  pthread_mutex_lock(&port->mutex);
  while (port->initializing || port->closing)
    pthread_cond_wait(&port->open_wait, &port->mutex);
  if (port->count++ == 0) {
    port->initializing = 1;
    pthread_mutex_unlock(&port->mutex);
    port->divisor = 12;  // NORACE: others wait until initializing is 0
    port->fifo_size = 16;  // NORACE: the same
    pthread_mutex_lock(&port->mutex);
    port->initializing = 0;
    pthread_cond_broadcast(&port->open_wait);
  }
  pthread_mutex_unlock(&port->mutex);
}

static void tty_port_close(struct tty_port* port) {
  pthread_mutex_lock(&port->mutex);
  if (--port->count == 0) {
    port->closing = 1;
    pthread_mutex_unlock(&port->mutex);
    port->fifo_size = 0;  // NORACE: the count was 0, and who opens waits until closing is 0
    port->divisor = 0;  // NORACE: the same
    pthread_mutex_lock(&port->mutex);
    port->closing = 0;
    pthread_cond_broadcast(&port->open_wait);
  }
  pthread_mutex_unlock(&port->mutex);
}

/* Job control */

static int tiocspgrp(struct tty_struct* tty, struct tty_struct* real_tty, int pgrp) {
  int ret = 0;

  if (pgrp < 0) return -EINVAL;
  if (tty->subtype == PTY_SLAVE && tty != real_tty) return -ENOTTY;
  pthread_mutex_lock(&real_tty->ctrl_lock);
  if (real_tty->pgrp == pgrp)  // NORACE: under the ctrl_lock of the slave
    ret = 1;
  else
    real_tty->pgrp = pgrp;  // NORACE: under the ctrl_lock of the slave
  pthread_mutex_unlock(&real_tty->ctrl_lock);
  return ret;
}

static int tty_check_change(struct tty_struct* tty, int pid) {
  int foreground;

  pthread_mutex_lock(&tty->ctrl_lock);
  foreground = tty->pgrp == 0 || tty->pgrp == pid;  // NORACE: under the ctrl_lock of the slave
  pthread_mutex_unlock(&tty->ctrl_lock);
  return foreground;
}

/* Entry: a process that writes to the slave. */
static void* tty_write(void* arg) {
  struct file* file = arg;
  struct tty_struct* tty = file->private_data;
  struct tty_port* port = tty->port;
  long background = 0;

  tty_port_open(port);
  for (int i = 0; i < NR_WRITES; i++) {
    if (!tty_check_change(tty, file->pid)) background++;
    if (!tty_ldisc_ref_wait(tty)) break;  // hung up
    tty_write_lock(tty);
    if (port->fifo_size > 0)  // NORACE: this file counts: the port is neither started nor shut down
      do_tty_write(tty, 'a' + i);
    tty_write_unlock(tty);
    tty_ldisc_deref(tty);
  }
  tty_port_close(port);
  return (void*)background;
}

/* Entry: the interrupt of the device, fills the flip buffer; what does not fit is lost. */
static void* uart_interrupt(void* arg) {
  struct tty_port* port = arg;
  struct tty_bufhead* buf = &port->buf;

  for (int i = 0; i < NR_RECEIVED; i++) {
    int slot;

    pthread_mutex_lock(&buf->lock);
    if (buf->head - buf->tail >= FLIP_SIZE) {
      buf->overrun++;
      pthread_mutex_unlock(&buf->lock);
      continue;
    }
    slot = buf->head % FLIP_SIZE;
    pthread_mutex_unlock(&buf->lock);

    buf->data[slot] = (char)('A' + i);  // NORACE: the slot at head is free until head is moved

    pthread_mutex_lock(&buf->lock);
    buf->head++;
    pthread_cond_signal(&buf->data_ready);
    pthread_mutex_unlock(&buf->lock);
  }
  pthread_mutex_lock(&buf->lock);
  buf->closed = 1;
  pthread_cond_signal(&buf->data_ready);
  pthread_mutex_unlock(&buf->lock);
  return NULL;
}

static int tty_buffer_wait(struct tty_bufhead* buf) {
  int more;

  pthread_mutex_lock(&buf->lock);
  while (buf->head == buf->tail && !buf->closed)
    pthread_cond_wait(&buf->data_ready, &buf->lock);
  more = buf->head != buf->tail;
  pthread_mutex_unlock(&buf->lock);
  return more;
}

static void receive_buf(struct tty_struct* tty, struct tty_bufhead* buf, int slot) {
  struct n_tty_data* ldata = &tty->disc_data;
  int c = buf->data[slot];  // NORACE: lies between tail and head
  if (tty->termios.c_iflag) c |= 0x20;  // NORACE: a reference keeps changes out
  ldata->read_buf[ldata->read_head % N_TTY_BUF_SIZE] = (char)c;  // NORACE: the same; there is one receiver
  ldata->read_head++;  // NORACE: the same
}

/* Entry: the work item that takes characters from the flip buffer to the discipline. */
static void* flush_to_ldisc(void* arg) {
  struct tty_struct* tty = arg;
  struct tty_bufhead* buf = &tty->port->buf;

  while (tty_buffer_wait(buf)) {
    int slot = -1;

    if (!tty_ldisc_ref_wait(tty)) break;  // hung up: nobody wants it any more
    pthread_mutex_lock(&buf->lock);
    if (buf->head != buf->tail) slot = buf->tail % FLIP_SIZE;  // a hangup may have emptied it
    pthread_mutex_unlock(&buf->lock);
    if (slot >= 0) {
      receive_buf(tty, buf, slot);
      pthread_mutex_lock(&buf->lock);
      buf->tail++;  // nobody emptied it since: that needs the discipline locked
      pthread_mutex_unlock(&buf->lock);
    }
    tty_ldisc_deref(tty);
  }
  return NULL;
}

static void tty_buffer_flush(struct tty_bufhead* buf) {
  pthread_mutex_lock(&buf->lock);
  buf->tail = buf->head;
  pthread_mutex_unlock(&buf->lock);
}

/* Entry: the hangup work. The first is that of a console, which goes on with a new discipline; the second is final. */
static void* do_tty_hangup(void* arg) {
  struct tty_struct* tty = arg;

  for (int final = 0; final < 2; final++) {
    if (tty_ldisc_lock(tty)) break;
    tty_buffer_flush(&tty->port->buf);
    tty->termios.c_ospeed = 9600;  // NORACE: ldisc_changing, and no reference is left
    tty->termios.c_iflag = 0;  // NORACE: the same
    tty_ldisc_reinit(tty, 0);
    tty_ldisc_unlock(tty, final);

    pthread_mutex_lock(&tty->ctrl_lock);
    tty->pgrp = 0;  // NORACE: under the ctrl_lock of the slave
    pthread_mutex_unlock(&tty->ctrl_lock);
  }
  return NULL;
}

static int tiocsetd(struct tty_struct* tty, int disc) {
  int ret = tty_ldisc_lock(tty);

  if (ret) return ret;
  if (tty->termios.c_line != disc) {  // NORACE: ldisc_changing, and no reference is left
    tty_ldisc_reinit(tty, disc);
    tty->termios.c_iflag = disc;  // NORACE: the same
  }
  tty_ldisc_unlock(tty, 0);
  return 0;
}

/* Entry: a process that opens the slave, asks for this and that, and closes it. */
static void* tty_ioctl(void* arg) {
  struct file* file = arg;
  struct tty_struct* tty = file->private_data;
  long baud = 0;

  for (int i = 0; i < NR_IOCTLS; i++) {
    tty_port_open(tty->port);
    if (tty->port->divisor) baud = 115200 / tty->port->divisor;  // NORACE: this file counts
    tiocspgrp(tty, tty, file->pid + i);
    if (tty_ldisc_ref_wait(tty)) {
      tty_send_xchar(tty, 17);
      tty_ldisc_deref(tty);
    }
    tiocsetd(tty, i % 2);
    tty_port_close(tty->port);
  }
  return (void*)baud;
}

/* Entry: a process that has the master open. Its process group is that of the slave. */
static void* pty_master_ioctl(void* arg) {
  struct file* file = arg;
  struct tty_struct* tty = file->private_data;
  struct tty_struct* real_tty = tty->subtype == PTY_MASTER ? tty->link : tty;

  for (int i = 0; i < NR_IOCTLS; i++)
    if (tiocspgrp(tty, real_tty, file->pid + i) < 0) break;
  return NULL;
}

static void tty_init(struct tty_struct* tty, int subtype, struct tty_struct* link) {
  tty->subtype = subtype;
  tty->link = link;
  tty->port = &pty_ports[subtype];
  tty->termios.c_ospeed = 38400;
  pthread_mutex_init(&tty->ldisc_sem, NULL);
  pthread_mutex_init(&tty->atomic_write_lock, NULL);
  pthread_mutex_init(&tty->ctrl_lock, NULL);
  pthread_cond_init(&tty->ldisc_wait, NULL);
  pthread_cond_init(&tty->write_wait, NULL);
  pthread_mutex_init(&tty->port->mutex, NULL);
  pthread_cond_init(&tty->port->open_wait, NULL);
  pthread_mutex_init(&tty->port->buf.lock, NULL);
  pthread_cond_init(&tty->port->buf.data_ready, NULL);
}

static struct file writer_file = {&pty_slave, 100}, slave_file = {&pty_slave, 200}, master_file = {&pty_master, 300};

int main(void) {
  pthread_t writer, irq, flush, hangup, slave, master;

  tty_init(&pty_slave, PTY_SLAVE, &pty_master);
  tty_init(&pty_master, PTY_MASTER, &pty_slave);
  pthread_create(&master, NULL, pty_master_ioctl, &master_file);
  pthread_create(&writer, NULL, tty_write, &writer_file);
  pthread_create(&slave, NULL, tty_ioctl, &slave_file);
  pthread_create(&irq, NULL, uart_interrupt, pty_slave.port);
  pthread_create(&flush, NULL, flush_to_ldisc, &pty_slave);
  pthread_create(&hangup, NULL, do_tty_hangup, &pty_slave);
  pthread_join(master, NULL);
  pthread_join(writer, NULL);
  pthread_join(slave, NULL);
  pthread_join(irq, NULL);
  pthread_join(flush, NULL);
  pthread_join(hangup, NULL);
  printf("tty: pgrp %d, %d lost\n", pty_slave.pgrp, pty_slave.port->buf.overrun);
  return 0;
}
