// Multicast groups of IP over InfiniBand, after Linux drivers/infiniband/ulp/ipoib/ipoib_multicast.c: a group that is
// BUSY belongs to the completion of its join, one off the list and not BUSY to the flush; a query is handed back and
// forth by its state, address handles are counted, a transmit ring has its positions under a lock. Few of the accesses
// below have a lock in common. `ah` of a group has: priv->lock. In early Linux the completion of a join stored it
// without that lock, beside the test in ipoib_mcast_send(); ipoib_multicast_racy.c has that race.
// LEFT: 41
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#define NR_GROUPS 3
#define TX_RING_SIZE 4
#define NR_AHS (NR_GROUPS + TX_RING_SIZE + 1)
#define MAX_MCAST_QUEUE 3
#define MAX_BACKOFF 8
#define NR_PACKETS 1000
#define NR_FLUSHES 100

struct ipoib_ah {
  int ref;     // priv->lock
  int in_use;  // priv->lock
  int dlid;    // written by who creates it and by who drops the last reference, read by who has one
  int rate;    // the same
};

struct mcmember_rec {
  unsigned mlid;
  int qkey;
  int rate;
};

struct ipoib_mcast {
  unsigned mgid;
  int on_list;   // priv->lock
  int busy;      // priv->lock: a join is in flight
  int attached;  // priv->lock
  struct ipoib_ah* ah;
  struct mcmember_rec mcmember;
  int backoff;
  int logcount;
  unsigned queuelen;
  int pkt_queue[MAX_MCAST_QUEUE];
};

enum sa_state { SA_IDLE, SA_FILLING, SA_POSTED, SA_COMPLETING };

struct sa_query {
  pthread_mutex_t lock;
  pthread_cond_t wait;
  int state;  // lock: says who the rest belongs to
  int closed; // lock
  struct ipoib_mcast* context;
  unsigned mgid;
  int qkey;
};

struct tx_buf {
  int skb;
  struct ipoib_ah* ah;
};

struct ipoib_dev_priv {
  pthread_mutex_t lock;
  pthread_cond_t mcast_task;
  pthread_cond_t done;
  int mcast_run;                  // lock
  struct ipoib_mcast* broadcast;  // lock
  int qkey;                       // of the broadcast group: written while it is joined, read once it is attached
  int tx_dropped, tx_queued;      // lock
  struct ipoib_mcast groups[NR_GROUPS];
  struct ipoib_ah ahs[NR_AHS];
  struct sa_query sa;

  pthread_mutex_t tx_lock;
  pthread_cond_t tx_wait;
  unsigned tx_head, tx_tail;  // tx_lock
  int tx_closed;              // tx_lock
  struct tx_buf tx_ring[TX_RING_SIZE];

  int qp_attached[NR_GROUPS];  // by mlid, each with the owner of its group
};

static struct ipoib_dev_priv ipoib_dev;

/* Address handles */

static struct ipoib_ah* ipoib_create_ah(struct ipoib_dev_priv* priv, int dlid, int rate) {
  struct ipoib_ah* ah = NULL;

  pthread_mutex_lock(&priv->lock);
  for (int i = 0; i < NR_AHS; i++) {
    if (!priv->ahs[i].in_use) {  // NORACE: under priv->lock
      ah = &priv->ahs[i];
      ah->in_use = 1;  // NORACE: under priv->lock
      ah->ref = 1;  // NORACE: under priv->lock
      break;
    }
  }
  pthread_mutex_unlock(&priv->lock);
  if (!ah) return NULL;
  ah->dlid = dlid;  // NORACE: in_use, and nobody else has a reference
  ah->rate = rate;  // NORACE: the same
  return ah;
}

static void ipoib_put_ah(struct ipoib_dev_priv* priv, struct ipoib_ah* ah) {
  int last;

  pthread_mutex_lock(&priv->lock);
  last = --ah->ref == 0;  // NORACE: under priv->lock
  pthread_mutex_unlock(&priv->lock);
  if (!last) return;
  ah->dlid = -1;  // NORACE: that was the last reference, and it is in_use still
  ah->rate = 0;  // NORACE: the same
  pthread_mutex_lock(&priv->lock);
  ah->in_use = 0;  // NORACE: under priv->lock
  pthread_mutex_unlock(&priv->lock);
}

/* Joins. priv->lock is held by the caller. */
static struct ipoib_mcast* next_to_join(struct ipoib_dev_priv* priv) {
  if (!priv->broadcast) return NULL;
  if (!priv->broadcast->attached) {
    struct ipoib_mcast* mcast = priv->broadcast;
    return !mcast->busy && mcast->backoff < MAX_BACKOFF ? mcast : NULL;  // NORACE: on the list and not BUSY
  }
  for (int i = 0; i < NR_GROUPS; i++) {
    struct ipoib_mcast* mcast = &priv->groups[i];
    if (mcast->on_list && !mcast->attached && !mcast->busy && mcast->backoff < MAX_BACKOFF)  // NORACE: the same
      return mcast;
  }
  return NULL;
}

static void sa_join_multicast(struct sa_query* query, struct ipoib_mcast* mcast, int qkey) {
  pthread_mutex_lock(&query->lock);
  while (query->state != SA_IDLE)
    pthread_cond_wait(&query->wait, &query->lock);
  query->state = SA_FILLING;
  pthread_mutex_unlock(&query->lock);

  query->context = mcast;  // NORACE: FILLING belongs to the join task
  query->mgid = mcast->mgid;  // NORACE: the same
  query->qkey = qkey;  // NORACE: the same

  pthread_mutex_lock(&query->lock);
  query->state = SA_POSTED;
  pthread_cond_broadcast(&query->wait);
  pthread_mutex_unlock(&query->lock);
}

/* Entry: the work item that asks for one join after another. */
static void* ipoib_mcast_join_task(void* arg) {
  struct ipoib_dev_priv* priv = arg;

  for (;;) {
    struct ipoib_mcast* mcast = NULL;
    int qkey = 0;

    pthread_mutex_lock(&priv->lock);
    while (priv->mcast_run && !(mcast = next_to_join(priv)))
      pthread_cond_wait(&priv->mcast_task, &priv->lock);
    if (!mcast) {
      pthread_mutex_unlock(&priv->lock);
      break;
    }
    mcast->busy = 1;  // NORACE: under priv->lock
    if (mcast != priv->broadcast)
      qkey = priv->broadcast->mcmember.qkey;  // NORACE: attached, so no join of it is in flight
    pthread_mutex_unlock(&priv->lock);
    sa_join_multicast(&priv->sa, mcast, qkey);
  }

  pthread_mutex_lock(&priv->sa.lock);
  priv->sa.closed = 1;
  pthread_cond_broadcast(&priv->sa.wait);
  pthread_mutex_unlock(&priv->sa.lock);
  return NULL;
}

/* The group is BUSY: it is ours, but for what a sender may see of it. */
static int ipoib_mcast_join_finish(struct ipoib_dev_priv* priv, struct ipoib_mcast* mcast, struct mcmember_rec* rec) {
  struct ipoib_ah* ah;

  if (rec->mlid >= NR_GROUPS) return -EINVAL;
  mcast->mcmember = *rec;  // NORACE: BUSY
  if (rec->mlid == 0)
    priv->qkey = rec->qkey;  // NORACE: the broadcast group is BUSY, not attached
  priv->qp_attached[rec->mlid] = 1;  // NORACE: BUSY, and other groups have other numbers
  ah = ipoib_create_ah(priv, 0xc000 + rec->mlid, rec->rate);
  if (!ah) return -ENOMEM;
  pthread_mutex_lock(&priv->lock);
  mcast->ah = ah;  // NORACE: under priv->lock
  pthread_mutex_unlock(&priv->lock);
  return 0;
}

static void ipoib_mcast_join_complete(struct ipoib_dev_priv* priv, struct ipoib_mcast* mcast, int status,
                                      struct mcmember_rec* rec) {
  if (!status) status = ipoib_mcast_join_finish(priv, mcast, rec);
  if (status) {
    mcast->backoff *= 2;  // NORACE: BUSY
    if (mcast->logcount < 20) mcast->logcount++;  // NORACE: BUSY
  } else {
    mcast->backoff = 1;  // NORACE: BUSY
  }

  pthread_mutex_lock(&priv->lock);
  if (!status) {
    mcast->attached = 1;
    for (int i = 0; i < MAX_MCAST_QUEUE; i++) {
      if (mcast->pkt_queue[i]) priv->tx_queued--;  // NORACE: BUSY; and under priv->lock
      mcast->pkt_queue[i] = 0;  // NORACE: the same
    }
    mcast->queuelen = 0;  // NORACE: the same
  }
  mcast->busy = 0;  // NORACE: under priv->lock
  pthread_cond_broadcast(&priv->done);
  pthread_cond_broadcast(&priv->mcast_task);
  pthread_mutex_unlock(&priv->lock);
}

/* Entry: the subnet administrator's answers. Each third one is a timeout. */
static void* ib_sa_callback(void* arg) {
  struct ipoib_dev_priv* priv = arg;
  struct sa_query* query = &priv->sa;

  for (int nr = 0;; nr++) {
    struct mcmember_rec rec;
    struct ipoib_mcast* mcast;

    pthread_mutex_lock(&query->lock);
    while (query->state != SA_POSTED && !query->closed)
      pthread_cond_wait(&query->wait, &query->lock);
    if (query->state != SA_POSTED) {
      pthread_mutex_unlock(&query->lock);
      return NULL;
    }
    query->state = SA_COMPLETING;
    pthread_mutex_unlock(&query->lock);

    mcast = query->context;  // NORACE: COMPLETING belongs to the callback
    rec.mlid = query->mgid;  // NORACE: the same
    rec.qkey = rec.mlid == 0 ? 0x0b1b : query->qkey;  // NORACE: the same
    rec.rate = 3;
    ipoib_mcast_join_complete(priv, mcast, nr % 3 == 2 ? -ETIMEDOUT : 0, &rec);

    pthread_mutex_lock(&query->lock);
    query->state = SA_IDLE;
    pthread_cond_broadcast(&query->wait);
    pthread_mutex_unlock(&query->lock);
  }
}

/* Until the broadcast group is attached, or the device stopped. */
static void ipoib_wait_for_carrier(struct ipoib_dev_priv* priv) {
  pthread_mutex_lock(&priv->lock);
  while (priv->mcast_run && (!priv->broadcast || !priv->broadcast->attached))
    pthread_cond_wait(&priv->done, &priv->lock);
  pthread_mutex_unlock(&priv->lock);
}

/* Sending: the caller's reference goes with the packet. */
static int ipoib_send(struct ipoib_dev_priv* priv, struct ipoib_ah* ah, int skb) {
  unsigned slot;

  if (ah->dlid < 0) return -EINVAL;  // NORACE: a reference is held
  pthread_mutex_lock(&priv->tx_lock);
  while (priv->tx_head - priv->tx_tail >= TX_RING_SIZE)
    pthread_cond_wait(&priv->tx_wait, &priv->tx_lock);
  slot = priv->tx_head % TX_RING_SIZE;
  pthread_mutex_unlock(&priv->tx_lock);

  priv->tx_ring[slot].skb = skb;  // NORACE: the slot at head is free until head is moved
  priv->tx_ring[slot].ah = ah;  // NORACE: the same

  pthread_mutex_lock(&priv->tx_lock);
  priv->tx_head++;
  pthread_cond_signal(&priv->tx_wait);
  pthread_mutex_unlock(&priv->tx_lock);
  return 0;
}

static void ipoib_mcast_send(struct ipoib_dev_priv* priv, struct ipoib_mcast* mcast, int skb) {
  struct ipoib_ah* ah;

  pthread_mutex_lock(&priv->lock);
  if (!mcast->on_list || !priv->broadcast || !priv->broadcast->attached) {
    priv->tx_dropped++;
    pthread_mutex_unlock(&priv->lock);
    return;
  }
  if (!mcast->ah || !mcast->attached) {  // NORACE: on the list; and under priv->lock
    unsigned len = mcast->queuelen;  // NORACE: the same
    if (len < MAX_MCAST_QUEUE) {
      mcast->pkt_queue[len] = skb;  // NORACE: the same
      mcast->queuelen = len + 1;  // NORACE: the same
      priv->tx_queued++;
    } else {
      priv->tx_dropped++;
    }
    pthread_mutex_unlock(&priv->lock);
    return;
  }
  ah = mcast->ah;  // NORACE: attached: the join is over; and under priv->lock
  ah->ref++;  // NORACE: under priv->lock
  skb ^= priv->qkey;  // NORACE: the broadcast group is attached
  pthread_mutex_unlock(&priv->lock);

  if (ipoib_send(priv, ah, skb)) ipoib_put_ah(priv, ah);
}

/* Entry: the network's transmit function. */
static void* ipoib_start_xmit(void* arg) {
  struct ipoib_dev_priv* priv = arg;

  for (int i = 0; i < NR_PACKETS; i++) {
    ipoib_wait_for_carrier(priv);
    ipoib_mcast_send(priv, &priv->groups[i % NR_GROUPS], i + 1);
  }

  pthread_mutex_lock(&priv->tx_lock);
  priv->tx_closed = 1;
  pthread_cond_signal(&priv->tx_wait);
  pthread_mutex_unlock(&priv->tx_lock);
  return NULL;
}

/* Entry: completions of the send queue. */
static void* ipoib_ib_tx_completion(void* arg) {
  struct ipoib_dev_priv* priv = arg;
  long sent = 0;
  for (;;) {
    struct tx_buf* tx_req;
    struct ipoib_ah* ah;

    pthread_mutex_lock(&priv->tx_lock);
    while (priv->tx_head == priv->tx_tail && !priv->tx_closed)
      pthread_cond_wait(&priv->tx_wait, &priv->tx_lock);
    if (priv->tx_head == priv->tx_tail) {
      pthread_mutex_unlock(&priv->tx_lock);
      return (void*)sent;
    }
    tx_req = &priv->tx_ring[priv->tx_tail % TX_RING_SIZE];
    pthread_mutex_unlock(&priv->tx_lock);

    if (tx_req->skb) sent++;  // NORACE: lies between tail and head
    ah = tx_req->ah;  // NORACE: the same
    tx_req->ah = NULL;  // NORACE: the same
    ipoib_put_ah(priv, ah);

    pthread_mutex_lock(&priv->tx_lock);
    priv->tx_tail++;
    pthread_cond_signal(&priv->tx_wait);
    pthread_mutex_unlock(&priv->tx_lock);
  }
}

/* A group that was taken off the list and has no join in flight: nobody else knows it. */
static void ipoib_mcast_leave_and_free(struct ipoib_dev_priv* priv, struct ipoib_mcast* mcast) {
  unsigned mlid = mcast->mcmember.mlid;  // NORACE: off the list and not BUSY
  int dropped = 0;

  if (mlid < NR_GROUPS) priv->qp_attached[mlid] = 0;  // NORACE: the same, and other groups have other numbers
  if (mcast->ah) ipoib_put_ah(priv, mcast->ah);  // NORACE: off the list and not BUSY
  mcast->ah = NULL;  // NORACE: the same
  for (int i = 0; i < MAX_MCAST_QUEUE; i++) {
    if (mcast->pkt_queue[i]) dropped++;  // NORACE: the same
    mcast->pkt_queue[i] = 0;  // NORACE: the same
  }
  mcast->queuelen = 0;  // NORACE: the same
  mcast->mcmember.mlid = mcast->mgid;  // NORACE: the same
  mcast->mcmember.qkey = 0;  // NORACE: the same
  mcast->backoff = 1;  // NORACE: the same
  mcast->logcount = 0;  // NORACE: the same

  pthread_mutex_lock(&priv->lock);
  priv->tx_dropped += dropped;
  priv->tx_queued -= dropped;
  pthread_mutex_unlock(&priv->lock);
}

static void ipoib_mcast_dev_flush(struct ipoib_dev_priv* priv, struct ipoib_mcast* mcast) {
  pthread_mutex_lock(&priv->lock);
  mcast->on_list = 0;  // no sender and no new join from here on
  if (mcast == priv->broadcast) priv->broadcast = NULL;
  while (mcast->busy)  // NORACE: under priv->lock
    pthread_cond_wait(&priv->done, &priv->lock);
  mcast->attached = 0;
  pthread_mutex_unlock(&priv->lock);
  ipoib_mcast_leave_and_free(priv, mcast);
}

static void ipoib_mcast_add(struct ipoib_dev_priv* priv, struct ipoib_mcast* mcast) {
  pthread_mutex_lock(&priv->lock);
  mcast->on_list = 1;
  if (mcast->mgid == 0) priv->broadcast = mcast;
  pthread_cond_broadcast(&priv->mcast_task);
  pthread_mutex_unlock(&priv->lock);
}

/* Entry: changes of the list of groups while the device is up, and in the end its stop. */
static void* ipoib_mcast_restart_task(void* arg) {
  struct ipoib_dev_priv* priv = arg;

  for (int i = 0; i < NR_FLUSHES; i++) {
    struct ipoib_mcast* mcast = &priv->groups[(i + 1) % NR_GROUPS];
    ipoib_wait_for_carrier(priv);
    ipoib_mcast_dev_flush(priv, mcast);
    ipoib_mcast_add(priv, mcast);
  }

  pthread_mutex_lock(&priv->lock);
  priv->mcast_run = 0;
  pthread_cond_broadcast(&priv->mcast_task);
  pthread_cond_broadcast(&priv->done);
  pthread_mutex_unlock(&priv->lock);
  return NULL;
}

static void ipoib_dev_init(struct ipoib_dev_priv* priv) {
  pthread_mutex_init(&priv->lock, NULL);
  pthread_cond_init(&priv->mcast_task, NULL);
  pthread_cond_init(&priv->done, NULL);
  pthread_mutex_init(&priv->tx_lock, NULL);
  pthread_cond_init(&priv->tx_wait, NULL);
  pthread_mutex_init(&priv->sa.lock, NULL);
  pthread_cond_init(&priv->sa.wait, NULL);
  priv->mcast_run = 1;
  for (unsigned i = 0; i < NR_GROUPS; i++) {
    priv->groups[i].mgid = i;
    priv->groups[i].mcmember.mlid = i;
    priv->groups[i].backoff = 1;
    priv->groups[i].on_list = 1;
  }
  priv->broadcast = &priv->groups[0];
}

int main(void) {
  pthread_t join, sa, xmit, completion, restart;
  void* sent;
  ipoib_dev_init(&ipoib_dev);
  pthread_create(&join, NULL, ipoib_mcast_join_task, &ipoib_dev);
  pthread_create(&sa, NULL, ib_sa_callback, &ipoib_dev);
  pthread_create(&restart, NULL, ipoib_mcast_restart_task, &ipoib_dev);
  pthread_create(&xmit, NULL, ipoib_start_xmit, &ipoib_dev);
  pthread_create(&completion, NULL, ipoib_ib_tx_completion, &ipoib_dev);
  pthread_join(join, NULL);
  pthread_join(sa, NULL);
  pthread_join(restart, NULL);
  pthread_join(xmit, NULL);
  pthread_join(completion, &sent);
  printf("ipoib: %ld sent, %d dropped\n", (long)sent, ipoib_dev.tx_dropped);
  return 0;
}
