// A page of the block map belongs to whoever set its locked or io flag, a block to whoever has its bit in the map, a
// transaction block to whoever its state says, and the geometry to the resizer once no transaction is active.
//
// A program of our own after fs/jfs/jfs_dmap.c. The true race of the racy half is that of dbNextAG(), as it stands in
// the kernel to this day (6.1): it reads db_agpref for its caller after it has given BMAP_LOCK back, while another
// allocation may change it. The safe half reads it under the lock.
// LEFT: 36
#include <pthread.h>

#define NPAGES 2 /* pages of the map; each is one dmap, and one allocation group */
#define L2BPERDMAP 3
#define BPERDMAP (1 << L2BPERDMAP)
#define NBLOCKS (NPAGES * BPERDMAP)
#define NTBLOCKS 3
#define NFILES 2
#define ENOSPC 28
#define EIO 5

enum tblock_state { TB_FREE, TB_ACTIVE, TB_COMMITTED, TB_LAZY };

struct dmap {
  unsigned wmap; /* bit set: in use, now */
  unsigned pmap; /* bit set: in use, once all that is committed is on disk */
  int nfree;
  int budmin;
};

struct metapage {
  pthread_cond_t wait;
  /* under meta_lock: */
  int locked; /* somebody is between get_metapage() and release_metapage() */
  int io;     /* somebody writes it to disk */
  int dirty;
  /* of whoever set locked or io: */
  struct dmap dmap;
  struct dmap image; /* what the disk has */
};

struct bmap {
  pthread_mutex_t db_bmaplock;
  /* under db_bmaplock: */
  int db_nfree;
  int db_agfree[NPAGES];
  int db_active[NPAGES]; /* files that grow in this allocation group */
  int db_agpref;
  /* changed while transactions are quiesced: */
  int db_mapsize;
  struct metapage pages[NPAGES];
};

struct jfs_log {
  int base, size; /* changed while transactions are quiesced */
};

struct tblock {
  int state; /* under tx_lock */
  int blkno, nblocks, lsn;
};

struct super {
  struct bmap* bmap;
  struct jfs_log* log;
  int volume[NBLOCKS]; /* what is in the blocks */
};

struct jfs_inode {
  struct super* sb;
  int active_ag;
  int blkno;
  int next_ag;
};

static pthread_mutex_t meta_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t tx_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t tx_change = PTHREAD_COND_INITIALIZER;
/* under tx_lock: */
static struct tblock tblocks[NTBLOCKS];
static int tx_active;   /* blocks that are not TB_FREE */
static int tx_quiesced; /* no new transactions */
static int tx_stopping; /* nothing more will be committed */

static struct jfs_log the_log;
static struct bmap the_bmap = {.db_bmaplock = PTHREAD_MUTEX_INITIALIZER};
static struct super the_super;
static struct jfs_inode file, directory;

/* Transactions */

static struct tblock* find_tblock(int state) {
  for (int i = 0; i < NTBLOCKS; i++) {
    if (tblocks[i].state == state) return &tblocks[i];
  }
  return 0;
}

static struct tblock* txBegin(void) {
  struct tblock* tblk;

  pthread_mutex_lock(&tx_lock);
  while (tx_quiesced || !(tblk = find_tblock(TB_FREE))) pthread_cond_wait(&tx_change, &tx_lock);
  tblk->state = TB_ACTIVE;
  tx_active++;
  pthread_mutex_unlock(&tx_lock);
  return tblk;
}

static void txEnd(struct tblock* tblk) {
  pthread_mutex_lock(&tx_lock);
  tblk->state = TB_FREE;
  tx_active--;
  pthread_cond_broadcast(&tx_change);
  pthread_mutex_unlock(&tx_lock);
}

/* Hands the block to jfs_lazycommit(), which ends the transaction. */
static void txCommit(struct super* sb, struct tblock* tblk, int blkno, int nblocks) {
  tblk->blkno = blkno;                            // NORACE: it is TB_ACTIVE: ours, not yet of jfs_lazycommit
  tblk->nblocks = nblocks;                        // NORACE: it is TB_ACTIVE: ours, not yet of jfs_lazycommit
  tblk->lsn = sb->log->base + sb->log->size - 1;  // NORACE: it is TB_ACTIVE; the log stays where it is
  pthread_mutex_lock(&tx_lock);
  tblk->state = TB_COMMITTED;
  pthread_cond_broadcast(&tx_change);
  pthread_mutex_unlock(&tx_lock);
}

static void txQuiesce(void) {
  pthread_mutex_lock(&tx_lock);
  tx_quiesced = 1;
  while (tx_active > 0) pthread_cond_wait(&tx_change, &tx_lock);
  pthread_mutex_unlock(&tx_lock);
}

static void txResume(void) {
  pthread_mutex_lock(&tx_lock);
  tx_quiesced = 0;
  pthread_cond_broadcast(&tx_change);
  pthread_mutex_unlock(&tx_lock);
}

/* Pages of the map */

static struct metapage* get_metapage(struct bmap* bmp, int lblkno) {
  struct metapage* mp = &bmp->pages[lblkno];

  pthread_mutex_lock(&meta_lock);
  while (mp->locked || mp->io) pthread_cond_wait(&mp->wait, &meta_lock);
  mp->locked = 1;
  pthread_mutex_unlock(&meta_lock);
  return mp;
}

static void release_metapage(struct metapage* mp, int dirty) {
  pthread_mutex_lock(&meta_lock);
  mp->locked = 0;
  if (dirty) mp->dirty = 1;
  pthread_cond_broadcast(&mp->wait);
  pthread_mutex_unlock(&meta_lock);
}

/* Writes the page if that is needed and, unless we wait, nobody has it now. */
static int write_metapage(struct metapage* mp, int wait) {
  pthread_mutex_lock(&meta_lock);
  while (wait && (mp->locked || mp->io)) pthread_cond_wait(&mp->wait, &meta_lock);
  if (mp->locked || mp->io || !mp->dirty) {
    pthread_mutex_unlock(&meta_lock);
    return 0;
  }
  mp->io = 1;
  mp->dirty = 0;
  pthread_mutex_unlock(&meta_lock);

  mp->image.wmap = mp->dmap.wmap;    // NORACE: io is set, by us: nobody locks the page, nobody else writes it
  mp->image.pmap = mp->dmap.pmap;    // NORACE: io is set, by us: nobody locks the page, nobody else writes it
  mp->image.nfree = mp->dmap.nfree;  // NORACE: io is set, by us: nobody locks the page, nobody else writes it

  pthread_mutex_lock(&meta_lock);
  mp->io = 0;
  pthread_cond_broadcast(&mp->wait);
  pthread_mutex_unlock(&meta_lock);
  return 1;
}

/* The map. Its callers are in a transaction. */

static void dbAdjust(struct bmap* bmp, int agno, int nblocks) {
  pthread_mutex_lock(&bmp->db_bmaplock);
  bmp->db_nfree += nblocks;
  bmp->db_agfree[agno] += nblocks;
  pthread_mutex_unlock(&bmp->db_bmaplock);
}

static void dbActive(struct bmap* bmp, int agno, int files) {
  pthread_mutex_lock(&bmp->db_bmaplock);
  bmp->db_active[agno] += files;
  pthread_mutex_unlock(&bmp->db_bmaplock);
}

/* The preferred allocation group: the next one with average free space where no file grows, or the best one. */
static int dbNextAG(struct bmap* bmp) {
  int agpref, next_best, avgfree;

  pthread_mutex_lock(&bmp->db_bmaplock);
  avgfree = bmp->db_nfree / NPAGES;
  agpref = next_best = bmp->db_agpref;
  for (int i = 0; i < NPAGES; i++) {
    agpref = (agpref + 1) % NPAGES;
    if (bmp->db_active[agpref]) continue;
    if (bmp->db_agfree[agpref] >= avgfree) {
      next_best = agpref;
      break;
    }
    if (bmp->db_agfree[agpref] > bmp->db_agfree[next_best]) next_best = agpref;
  }
  bmp->db_agpref = next_best;  // NORACE: under BMAP_LOCK
  agpref = bmp->db_agpref;     // NORACE: under BMAP_LOCK
  pthread_mutex_unlock(&bmp->db_bmaplock);
  return agpref;
}

/* A free block of the group, or -ENOSPC. Its bit is set, thus it is the caller's. */
static int dbAlloc(struct bmap* bmp, int agno) {
  struct metapage* mp = get_metapage(bmp, agno);
  struct dmap* dp = &mp->dmap;
  int blkno = agno << L2BPERDMAP;

  for (int bit = 0; bit < BPERDMAP; bit++, blkno++) {
    if (blkno >= bmp->db_mapsize) break;   // NORACE: jfs_extendfs changes it while no transaction is active
    if (dp->wmap & (1u << bit)) continue;  // NORACE: the page is locked, by us
    dp->wmap |= 1u << bit;                 // NORACE: the page is locked, by us
    dp->nfree--;                           // NORACE: the page is locked, by us
    dp->budmin = bit;                      // NORACE: the page is locked, by us
    release_metapage(mp, 1);
    dbAdjust(bmp, agno, -1);
    return blkno;
  }
  release_metapage(mp, 0);
  return -ENOSPC;
}

/* The block was the caller's, and is nobody's from here on. */
static int dbFree(struct bmap* bmp, int blkno) {
  int agno = blkno >> L2BPERDMAP;
  struct metapage* mp;
  struct dmap* dp;

  if (blkno >= bmp->db_mapsize) return -EIO;  // NORACE: jfs_extendfs changes it while no transaction is active
  mp = get_metapage(bmp, agno);
  dp = &mp->dmap;
  dp->wmap &= ~(1u << (blkno & (BPERDMAP - 1)));  // NORACE: the page is locked, by us
  dp->nfree++;                                    // NORACE: the page is locked, by us
  release_metapage(mp, 1);
  dbAdjust(bmp, agno, 1);
  return 0;
}

static int dbUpdatePMap(struct bmap* bmp, struct tblock* tblk) {
  int blkno = tblk->blkno;          // NORACE: it was TB_COMMITTED, and is TB_LAZY: ours
  int end = blkno + tblk->nblocks;  // NORACE: it was TB_COMMITTED, and is TB_LAZY: ours

  if (end > bmp->db_mapsize) return -EIO;  // NORACE: the transaction we end is active: no jfs_extendfs
  for (; blkno < end; blkno++) {
    struct metapage* mp = get_metapage(bmp, blkno >> L2BPERDMAP);

    mp->dmap.pmap |= 1u << (blkno & (BPERDMAP - 1));  // NORACE: the page is locked, by us
    release_metapage(mp, 1);
  }
  return 0;
}

/* Entry: a file that grows by a block, twice. */
static void* jfs_create(void* arg) {
  struct jfs_inode* ip = arg;
  struct bmap* bmp = ip->sb->bmap;

  for (int i = 0; i < NFILES; i++) {
    struct tblock* tblk = txBegin();

    ip->active_ag = dbNextAG(bmp);
    dbActive(bmp, ip->active_ag, 1);
    ip->blkno = dbAlloc(bmp, ip->active_ag);
    if (ip->blkno < 0) {
      txEnd(tblk);
    } else {
      ip->sb->volume[ip->blkno] = 0x4a46 + i;  // NORACE: the block is ours: its bit is set, by us
      txCommit(ip->sb, tblk, ip->blkno, 1);
    }
    dbActive(bmp, ip->active_ag, -1);
  }
  pthread_mutex_lock(&tx_lock);
  tx_stopping = 1;
  pthread_cond_broadcast(&tx_change);
  pthread_mutex_unlock(&tx_lock);
  ip->next_ag = dbNextAG(bmp);
  return 0;
}

/* Entry: a directory whose creation fails after its block has been taken. */
static void* jfs_mkdir(void* arg) {
  struct jfs_inode* ip = arg;
  struct bmap* bmp = ip->sb->bmap;
  struct tblock* tblk = txBegin();

  ip->active_ag = dbNextAG(bmp);
  ip->blkno = dbAlloc(bmp, ip->active_ag);
  if (ip->blkno >= 0) {
    ip->sb->volume[ip->blkno] = 0x4449;  // NORACE: the block is ours: its bit is set, by us
    dbFree(bmp, ip->blkno);
  }
  txEnd(tblk);
  ip->next_ag = dbNextAG(bmp);
  return 0;
}

/* Entry: the thread that ends committed transactions. */
static void* jfs_lazycommit(void* arg) {
  struct super* sb = arg;

  for (;;) {
    struct tblock* tblk;

    pthread_mutex_lock(&tx_lock);
    while (!(tblk = find_tblock(TB_COMMITTED)) && !tx_stopping) pthread_cond_wait(&tx_change, &tx_lock);
    if (tblk) tblk->state = TB_LAZY;
    pthread_mutex_unlock(&tx_lock);
    if (!tblk) return 0;
    if (dbUpdatePMap(sb->bmap, tblk) == 0) {
      tblk->lsn = 0;  // NORACE: it was TB_COMMITTED, and is TB_LAZY: ours
    }
    txEnd(tblk);
  }
}

/* Entry: discard what is free in a group. Blocks are taken while that is done. */
static void* dbDiscardAG(void* arg) {
  struct super* sb = arg;
  struct tblock* tblk = txBegin();

  for (int i = 0; i < NPAGES; i++) {
    int blkno = dbAlloc(sb->bmap, i);

    if (blkno < 0) continue;
    sb->volume[blkno] = 0;  // NORACE: the block is ours: its bit is set, by us
    dbFree(sb->bmap, blkno);
  }
  txEnd(tblk);
  return 0;
}

/* Entry: write back what can be written without waiting. */
static void* metapage_writepages(void* arg) {
  struct bmap* bmp = arg;

  for (int i = 0; i < NPAGES; i++) write_metapage(&bmp->pages[i], 0);
  return 0;
}

/* Entry: the volume gets larger, and the log moves behind it. From txQuiesce() to txResume() no transaction is active.
 */
static void* jfs_extendfs(void* arg) {
  struct super* sb = arg;
  struct bmap* bmp = sb->bmap;
  struct metapage* mp;
  int added;

  txQuiesce();
  for (int i = 0; i < NPAGES; i++) write_metapage(&bmp->pages[i], 1);
  added = NBLOCKS - bmp->db_mapsize;
  bmp->db_mapsize += added;    // NORACE: no transaction is active, and none begins
  sb->log->base += added;      // NORACE: no transaction is active, and none begins
  sb->log->size -= added / 2;  // NORACE: no transaction is active, and none begins
  mp = get_metapage(bmp, NPAGES - 1);
  mp->dmap.nfree += added;  // NORACE: the page is locked, by us: metapage_writepages leaves it alone
  release_metapage(mp, 1);
  dbAdjust(bmp, NPAGES - 1, added);
  txResume();
  return 0;
}

static void dbMount(struct super* sb, struct bmap* bmp, struct jfs_log* log) {
  bmp->db_mapsize = NBLOCKS - BPERDMAP / 2;
  bmp->db_nfree = bmp->db_mapsize;
  for (int i = 0; i < NPAGES; i++) {
    pthread_cond_init(&bmp->pages[i].wait, 0);
    bmp->db_agfree[i] = BPERDMAP;
    bmp->pages[i].dmap.nfree = BPERDMAP;
  }
  bmp->db_agfree[NPAGES - 1] -= BPERDMAP / 2;
  bmp->pages[NPAGES - 1].dmap.nfree -= BPERDMAP / 2;
  log->base = bmp->db_mapsize;
  log->size = 64;
  sb->bmap = bmp;
  sb->log = log;
}

int main(void) {
  pthread_t create, mkdir, lazy, discard, writeback, extend;

  dbMount(&the_super, &the_bmap, &the_log);
  file.sb = &the_super;
  directory.sb = &the_super;
  pthread_create(&create, 0, jfs_create, &file);
  pthread_create(&mkdir, 0, jfs_mkdir, &directory);
  pthread_create(&lazy, 0, jfs_lazycommit, &the_super);
  pthread_create(&discard, 0, dbDiscardAG, &the_super);
  pthread_create(&writeback, 0, metapage_writepages, &the_bmap);
  pthread_create(&extend, 0, jfs_extendfs, &the_super);
  pthread_join(create, 0);
  pthread_join(mkdir, 0);
  pthread_join(lazy, 0);
  pthread_join(discard, 0);
  pthread_join(writeback, 0);
  pthread_join(extend, 0);
  return 0;
}
