// A huge page belongs to whoever its state and its reference count under hugetlb_lock say, a slot of the page cache to
// whoever made its hash busy, the size of the pool to one resizer, and the subpool, in the end, to its last handle.
//
// A program of our own after mm/hugetlb.c. The true race of the racy half is historical: until 2007
// alloc_fresh_huge_page() went round the nodes with a static nid that no lock was around, and could ask a node that
// does not exist. The safe half has nid_lock around it, as the kernel had then.
// LEFT: 32
#include <pthread.h>

#define MAX_NODES 2
#define NR_PAGES 6 /* huge pages that the machine could have */
#define NR_INDEX 4 /* of the file */
#define NR_FAULT_HASH 2
#define OVERCOMMIT 2

enum page_state {
  PG_BUDDY,      /* of the page allocator */
  PG_FRESH,      /* of whoever allocates it for the pool */
  PG_FREE,       /* in the list of its node */
  PG_ACTIVE,     /* of those who count in refcount */
  PG_DISSOLVING, /* of whoever takes it out of the pool */
  PG_POISONED,   /* of nobody, for good */
};

enum vmemmap { VMEMMAP_FULL, VMEMMAP_OPTIMIZED };

struct page {
  /* under hugetlb_lock: */
  int state;
  int refcount;
  int surplus;
  struct page* next;
  /* of whoever has the page: */
  int vmemmap;
  int index;
  int data;
  int nid; /* never changes */
};

struct hstate {
  /* under hugetlb_lock, with free_huge_pages >= resv_huge_pages: */
  int nr_huge_pages;
  int free_huge_pages;
  int resv_huge_pages;
  int surplus_huge_pages;
  struct page* freelists[MAX_NODES];
  struct page pages[NR_PAGES];
  /* under resize_lock: */
  int resizing;
  /* of whoever set resizing: */
  int max_huge_pages;
  int resizes;
};

struct subpool {
  pthread_mutex_t lock;
  pthread_cond_t idle;
  int count;       /* under lock: handles */
  int used_hpages; /* under lock */
  int max_hpages;
  /* changed by whoever finds both count and used_hpages to be 0: */
  int min_hpages;
  struct hstate* hstate;
};

struct inode {
  struct subpool* spool;
  struct page* cache[NR_INDEX]; /* an element: of whoever made its hash busy */
};

static pthread_mutex_t hugetlb_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t resize_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t resize_done = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t nid_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t fault_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fault_done = PTHREAD_COND_INITIALIZER;
static int fault_busy[NR_FAULT_HASH]; /* under fault_lock */

static int node_online[MAX_NODES] = {1, 1};
static struct hstate default_hstate;
static struct subpool pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER};
static struct inode shm = {.spool = &pool};

/* Faults on the same page of the file go one by one, and so do those with the same hash. */
static void fault_begin(int idx) {
  int hash = idx % NR_FAULT_HASH;

  pthread_mutex_lock(&fault_lock);
  while (fault_busy[hash]) pthread_cond_wait(&fault_done, &fault_lock);
  fault_busy[hash] = 1;
  pthread_mutex_unlock(&fault_lock);
}

static void fault_end(int idx) {
  pthread_mutex_lock(&fault_lock);
  fault_busy[idx % NR_FAULT_HASH] = 0;
  pthread_cond_broadcast(&fault_done);
  pthread_mutex_unlock(&fault_lock);
}

/* Both are called under hugetlb_lock. */
static void enqueue_huge_page(struct hstate* h, struct page* page) {
  page->state = PG_FREE;
  page->next = h->freelists[page->nid];
  h->freelists[page->nid] = page;
  h->free_huge_pages++;
}

static struct page* dequeue_huge_page(struct hstate* h, int state) {
  for (int nid = 0; nid < MAX_NODES; nid++) {
    struct page* page = h->freelists[nid];

    if (!page) continue;
    h->freelists[nid] = page->next;
    h->free_huge_pages--;
    page->state = state;
    return page;
  }
  return 0;
}

static int next_node_to_alloc(void) {
  static int prev_nid;
  int nid;

  pthread_mutex_lock(&nid_lock);
  nid = prev_nid;  // NORACE: under nid_lock
  do {
    nid = (nid + 1) % MAX_NODES;
  } while (!node_online[nid]);
  prev_nid = nid;  // NORACE: under nid_lock
  pthread_mutex_unlock(&nid_lock);
  return nid;
}

static struct page* alloc_buddy_page(struct hstate* h, int nid) {
  struct page* found = 0;

  pthread_mutex_lock(&hugetlb_lock);
  for (int i = 0; i < NR_PAGES && !found; i++) {
    struct page* page = &h->pages[i];

    if (page->state == PG_BUDDY && page->nid == nid) found = page;
  }
  if (found) found->state = PG_FRESH;
  pthread_mutex_unlock(&hugetlb_lock);
  return found;
}

/* A page for the pool; it is PG_FRESH, thus the caller's. */
static struct page* alloc_fresh_huge_page(struct hstate* h) {
  struct page* page = alloc_buddy_page(h, next_node_to_alloc());

  if (!page) return 0;
  page->vmemmap = VMEMMAP_OPTIMIZED;  // NORACE: the page is PG_FRESH, by us
  page->index = -1;                   // NORACE: the page is PG_FRESH, by us
  return page;
}

/* Gives a page that the caller made PG_DISSOLVING back to the page allocator. */
static void update_and_free_page(struct page* page) {
  page->vmemmap = VMEMMAP_FULL;  // NORACE: the page is PG_DISSOLVING, by us
  pthread_mutex_lock(&hugetlb_lock);
  page->state = PG_BUDDY;
  pthread_mutex_unlock(&hugetlb_lock);
}

/* Takes back one free page of the pool that is not reserved. */
static struct page* remove_pool_huge_page(struct hstate* h) {
  struct page* page = 0;

  pthread_mutex_lock(&hugetlb_lock);
  if (h->free_huge_pages > h->resv_huge_pages) {
    page = dequeue_huge_page(h, PG_DISSOLVING);
    h->nr_huge_pages--;
  }
  pthread_mutex_unlock(&hugetlb_lock);
  return page;
}

static void resize_begin(struct hstate* h) {
  pthread_mutex_lock(&resize_lock);
  while (h->resizing) pthread_cond_wait(&resize_done, &resize_lock);
  h->resizing = 1;
  pthread_mutex_unlock(&resize_lock);
}

static void resize_end(struct hstate* h) {
  pthread_mutex_lock(&resize_lock);
  h->resizing = 0;
  pthread_cond_broadcast(&resize_done);
  pthread_mutex_unlock(&resize_lock);
}

/* A page counts as a handle does: whoever has either may read the subpool. */
static int hugepage_subpool_get_pages(struct subpool* spool) {
  int room;

  pthread_mutex_lock(&spool->lock);
  room = spool->used_hpages < spool->max_hpages;
  if (room) spool->used_hpages++;
  pthread_mutex_unlock(&spool->lock);
  return room;
}

/* Gives back a handle, or a page. That it was the last is decided under the lock: only one can find that. */
static void unlock_or_release_subpool(struct subpool* spool, int handles, int hpages) {
  int last;

  pthread_mutex_lock(&spool->lock);
  spool->count -= handles;
  spool->used_hpages -= hpages;
  last = spool->count == 0 && spool->used_hpages == 0;
  pthread_cond_broadcast(&spool->idle);
  pthread_mutex_unlock(&spool->lock);
  if (last) {
    spool->min_hpages = -1;  // NORACE: nobody has a handle any more: count and used_hpages were 0
    spool->hstate = 0;       // NORACE: nobody has a handle any more: count and used_hpages were 0
  }
}

static int hugetlb_acct_memory(struct hstate* h) {
  int reserved;

  pthread_mutex_lock(&hugetlb_lock);
  reserved = h->free_huge_pages > h->resv_huge_pages;
  if (reserved) h->resv_huge_pages++;
  pthread_mutex_unlock(&hugetlb_lock);
  return reserved;
}

/* Above the pool, up to OVERCOMMIT pages. */
static struct page* alloc_surplus_huge_page(struct hstate* h) {
  struct page* page;

  pthread_mutex_lock(&hugetlb_lock);
  if (h->surplus_huge_pages >= OVERCOMMIT) {
    pthread_mutex_unlock(&hugetlb_lock);
    return 0;
  }
  h->surplus_huge_pages++;
  pthread_mutex_unlock(&hugetlb_lock);

  page = alloc_fresh_huge_page(h);

  pthread_mutex_lock(&hugetlb_lock);
  if (page) {
    h->nr_huge_pages++;
    page->surplus = 1;
    page->refcount = 1;
    page->state = PG_ACTIVE;
  } else {
    h->surplus_huge_pages--;
  }
  pthread_mutex_unlock(&hugetlb_lock);
  return page;
}

/* With a reservation there is a free page: free_huge_pages is never below resv_huge_pages. */
static struct page* alloc_huge_page(struct hstate* h) {
  struct page* page;

  if (!hugetlb_acct_memory(h)) return alloc_surplus_huge_page(h);
  pthread_mutex_lock(&hugetlb_lock);
  page = dequeue_huge_page(h, PG_ACTIVE);
  h->resv_huge_pages--;
  page->refcount = 1;
  pthread_mutex_unlock(&hugetlb_lock);
  return page;
}

static void get_page(struct page* page) {
  pthread_mutex_lock(&hugetlb_lock);
  page->refcount++;
  pthread_mutex_unlock(&hugetlb_lock);
}

static void put_page(struct subpool* spool, struct hstate* h, struct page* page) {
  int last, dissolve;

  pthread_mutex_lock(&hugetlb_lock);
  page->refcount--;
  last = page->refcount == 0;
  dissolve = last && page->surplus;
  if (dissolve) {
    page->surplus = 0;
    page->state = PG_DISSOLVING;
    h->surplus_huge_pages--;
    h->nr_huge_pages--;
  } else if (last) {
    enqueue_huge_page(h, page);
  }
  pthread_mutex_unlock(&hugetlb_lock);
  if (dissolve) update_and_free_page(page);
  if (last) unlock_or_release_subpool(spool, 0, 1);
}

/* The page at idx of the file, with a reference of the caller; the hash of idx is busy, by the caller. */
static struct page* hugetlb_no_page(struct inode* inode, struct hstate* h, int idx) {
  struct page* page = inode->cache[idx];  // NORACE: the hash of idx is busy, by us

  if (!page) {
    if (!hugepage_subpool_get_pages(inode->spool)) return 0;
    page = alloc_huge_page(h);
    if (!page) {
      unlock_or_release_subpool(inode->spool, 0, 1);
      return 0;
    }
    page->data = 0;            // NORACE: the page is PG_ACTIVE with one reference, ours
    page->index = idx;         // NORACE: the page is PG_ACTIVE with one reference, ours
    inode->cache[idx] = page;  // NORACE: the hash of idx is busy, by us
  }
  page->data += idx;  // NORACE: it is in the cache, and the hash of its index is busy, by us
  get_page(page);
  return page;
}

static void remove_inode_hugepage(struct inode* inode, struct hstate* h, int idx) {
  struct page* page;

  fault_begin(idx);
  page = inode->cache[idx];  // NORACE: the hash of idx is busy, by us
  inode->cache[idx] = 0;     // NORACE: the hash of idx is busy, by us
  fault_end(idx);
  if (page) put_page(inode->spool, h, page);
}

/* Entry: a process writes to the first pages of the file. */
static void* hugetlb_fault(void* arg) {
  struct inode* inode = arg;
  struct hstate* h = inode->spool->hstate;  // NORACE: we have a handle of the subpool
  int errors = 0;

  for (int idx = 0; idx < 2; idx++) {
    struct page* page;

    fault_begin(idx);
    page = hugetlb_no_page(inode, h, idx);
    fault_end(idx);
    if (!page) continue;
    if (page->index != idx || page->vmemmap != VMEMMAP_OPTIMIZED) errors++;  // NORACE: we have a reference
    put_page(inode->spool, h, page);
  }
  unlock_or_release_subpool(inode->spool, 1, 0);
  return errors ? inode : 0;
}

/* Entry: room is made from page 1 on, for as many pages as the subpool has at least. */
static void* hugetlbfs_fallocate(void* arg) {
  struct inode* inode = arg;
  struct subpool* spool = inode->spool;
  struct hstate* h = spool->hstate;  // NORACE: we have a handle of the subpool

  for (int i = 0; i < spool->min_hpages; i++) {  // NORACE: we have a handle of the subpool
    struct page* page;

    fault_begin(1 + i);
    page = hugetlb_no_page(inode, h, 1 + i);
    fault_end(1 + i);
    if (page) put_page(spool, h, page);
  }
  unlock_or_release_subpool(spool, 1, 0);
  return 0;
}

/* Entry: a hole is punched while others fault; and when they are gone, all is removed. */
static void* hugetlbfs_evict_inode(void* arg) {
  struct inode* inode = arg;
  struct subpool* spool = inode->spool;
  struct hstate* h = spool->hstate;  // NORACE: we have a handle of the subpool

  remove_inode_hugepage(inode, h, 1);
  pthread_mutex_lock(&spool->lock);
  while (spool->count > 1) pthread_cond_wait(&spool->idle, &spool->lock);
  pthread_mutex_unlock(&spool->lock);
  for (int idx = 0; idx < NR_INDEX; idx++) remove_inode_hugepage(inode, h, idx);
  unlock_or_release_subpool(spool, 1, 0);
  return 0;
}

/* Entry: /proc/sys/vm/nr_hugepages is written, twice: two pages more, then one less. */
static void* nr_hugepages_store(void* arg) {
  struct hstate* h = arg;
  struct page* page;

  resize_begin(h);
  h->max_huge_pages += 2;  // NORACE: resizing is set, by us
  for (int i = 0; i < 2; i++) {
    page = alloc_fresh_huge_page(h);
    if (!page) continue;
    pthread_mutex_lock(&hugetlb_lock);
    h->nr_huge_pages++;
    enqueue_huge_page(h, page);
    pthread_mutex_unlock(&hugetlb_lock);
  }
  page = remove_pool_huge_page(h);
  if (page) {
    h->max_huge_pages--;  // NORACE: resizing is set, by us
    update_and_free_page(page);
  }
  h->resizes++;  // NORACE: resizing is set, by us
  resize_end(h);
  return 0;
}

/* Entry: the machine reports an error in memory; a free page is taken out of the pool for good. */
static void* memory_failure(void* arg) {
  struct hstate* h = arg;
  struct page* page = remove_pool_huge_page(h);

  if (!page) return 0;
  page->vmemmap = VMEMMAP_FULL;  // NORACE: the page is PG_DISSOLVING, by us
  page->data = -1;               // NORACE: the page is PG_DISSOLVING, by us
  pthread_mutex_lock(&hugetlb_lock);
  page->state = PG_POISONED;
  pthread_mutex_unlock(&hugetlb_lock);
  resize_begin(h);
  h->max_huge_pages--;  // NORACE: resizing is set, by us
  h->resizes++;         // NORACE: resizing is set, by us
  resize_end(h);
  return 0;
}

static void hugetlb_init(struct hstate* h, struct subpool* spool) {
  for (int i = 0; i < NR_PAGES; i++) h->pages[i].nid = i % MAX_NODES;
  enqueue_huge_page(h, &h->pages[0]);
  h->pages[0].vmemmap = VMEMMAP_OPTIMIZED;
  h->nr_huge_pages = h->max_huge_pages = 1;
  spool->hstate = h;
  spool->max_hpages = NR_INDEX;
  spool->min_hpages = 2;
  spool->count = 3;
}

int main(void) {
  pthread_t fault, fallocate, sysctl, failure, evict;

  hugetlb_init(&default_hstate, &pool);
  pthread_create(&fault, 0, hugetlb_fault, &shm);
  pthread_create(&fallocate, 0, hugetlbfs_fallocate, &shm);
  pthread_create(&sysctl, 0, nr_hugepages_store, &default_hstate);
  pthread_create(&failure, 0, memory_failure, &default_hstate);
  pthread_create(&evict, 0, hugetlbfs_evict_inode, &shm);
  pthread_join(fault, 0);
  pthread_join(fallocate, 0);
  pthread_join(sysctl, 0);
  pthread_join(failure, 0);
  pthread_join(evict, 0);
  return 0;
}
