// The entries of a GART belong to whoever has their bits in the allocation bitmap, its registers to one flusher, all of
// it to the power management once no mapper is left; and a slot of a device to whoever changed its state.
//
// A program of our own after arch/x86/kernel/amd_gart_64.c (pci-gart). The true race of the racy half is dump_leak()
// as it stands in the kernel with CONFIG_IOMMU_LEAK to this day (6.1): two devices that ask for too much at once test
// and set the static `dump` without a lock. In the safe half leak_lock is around it, which is ours.
// LEFT: 9
#include <pthread.h>

#define IOMMU_PAGES 8
#define AGP_PAGES 2 /* at the start of the aperture, lent to the AGP driver for good */
#define RING_PAGES_MAX 32
#define PAGE_SHIFT 12
#define NR_NORTHBRIDGES 2
#define NR_SLOTS 2
#define NR_PACKETS 3
#define SG_ENTRIES 2

#define GPTE_VALID 1u
#define GPTE_COHERENT 2u
#define GPTE_UNMAPPED 0u
#define GARTEN 1u

enum pm_state { PM_RUNNING, PM_SUSPENDING, PM_SUSPENDED };
enum slot_state { SLOT_FREE, SLOT_FILLING, SLOT_POSTED, SLOT_REAPING };

struct northbridge {
  unsigned aper_ctl;
  unsigned flush_word;
  unsigned flush_seq;
};

struct gart_iommu {
  pthread_mutex_t bitmap_lock;
  /* under bitmap_lock: */
  pthread_cond_t pm_change; /* pm_state is PM_RUNNING again, or mappers has become 0 */
  pthread_cond_t flush_done;
  unsigned char bitmap[IOMMU_PAGES];
  int next_bit;
  int need_flush;
  int flushing; /* somebody is in amd_flush_garts() */
  int pm_state;
  int mappers; /* threads between gart_enter() and gart_exit() */
  int full_pages;
  /* not under a lock: see where they are used */
  unsigned long bus_base;
  unsigned pte_flags;
  unsigned gatt[IOMMU_PAGES];
  struct northbridge nb[NR_NORTHBRIDGES];
  unsigned nr_flushes;
};

struct tx_slot {
  int state; /* under the lock of the device */
  int iommu_page;
  int npages;
  unsigned long bus;
};

struct nic {
  pthread_mutex_t lock;
  struct gart_iommu* iommu;
  struct tx_slot slots[NR_SLOTS];
  int ring_page;
  int tx_posted, tx_dropped, tx_done; /* under lock */
};

struct scatterlist {
  unsigned long phys;
  int iommu_page;
};

struct disk {
  struct gart_iommu* iommu;
  struct scatterlist sg[SG_ENTRIES];
  int ring_page;
  int errors;
};

static struct gart_iommu gart = {
    .bitmap_lock = PTHREAD_MUTEX_INITIALIZER,
    .pm_change = PTHREAD_COND_INITIALIZER,
    .flush_done = PTHREAD_COND_INITIALIZER,
};
static struct nic eth0 = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct disk sda;
static pthread_mutex_t leak_lock = PTHREAD_MUTEX_INITIALIZER;

/* From here to gart_exit() the aperture stays where it is, and translates: gart_power() waits for us. */
static void gart_enter(struct gart_iommu* iommu) {
  pthread_mutex_lock(&iommu->bitmap_lock);
  while (iommu->pm_state != PM_RUNNING) pthread_cond_wait(&iommu->pm_change, &iommu->bitmap_lock);
  iommu->mappers++;
  pthread_mutex_unlock(&iommu->bitmap_lock);
}

static void gart_exit(struct gart_iommu* iommu) {
  pthread_mutex_lock(&iommu->bitmap_lock);
  iommu->mappers--;
  if (iommu->mappers == 0) pthread_cond_broadcast(&iommu->pm_change);
  pthread_mutex_unlock(&iommu->bitmap_lock);
}

static int iommu_area_alloc(struct gart_iommu* iommu, int start, int npages) {
  for (int page = start; page + npages <= IOMMU_PAGES; page++) {
    int n = 0;

    while (n < npages && !iommu->bitmap[page + n]) n++;
    if (n < npages) continue;
    for (n = 0; n < npages; n++) iommu->bitmap[page + n] = 1;
    return page;
  }
  return -1;
}

/* Finds npages free pages and takes them; -1 if there are none. */
static int alloc_iommu(struct gart_iommu* iommu, int npages) {
  int page;

  pthread_mutex_lock(&iommu->bitmap_lock);
  page = iommu_area_alloc(iommu, iommu->next_bit, npages);
  if (page < 0) {
    iommu->need_flush = 1;
    page = iommu_area_alloc(iommu, 0, npages);
  }
  if (page >= 0) {
    iommu->next_bit = page + npages;
    if (iommu->next_bit >= IOMMU_PAGES) {
      iommu->next_bit = 0;
      iommu->need_flush = 1;
    }
  }
  pthread_mutex_unlock(&iommu->bitmap_lock);
  return page;
}

static void free_iommu(struct gart_iommu* iommu, int page, int npages) {
  pthread_mutex_lock(&iommu->bitmap_lock);
  for (int i = 0; i < npages; i++) iommu->bitmap[page + i] = 0;
  pthread_mutex_unlock(&iommu->bitmap_lock);
}

static void amd_flush_garts(struct gart_iommu* iommu) {
  for (int i = 0; i < NR_NORTHBRIDGES; i++) {
    struct northbridge* nb = &iommu->nb[i];

    if (!(nb->aper_ctl & GARTEN)) continue;  // NORACE: gart_power writes it only while there is no mapper
    nb->flush_word |= 1;                     // NORACE: there is one flusher, and no power management meanwhile
    nb->flush_seq++;                         // NORACE: there is one flusher, the one who set flushing
  }
  iommu->nr_flushes++;  // NORACE: there is one flusher, the one who set flushing
}

/* One flush at a time, and outside of bitmap_lock: the registers of a northbridge are slow. */
static void flush_gart(struct gart_iommu* iommu) {
  pthread_mutex_lock(&iommu->bitmap_lock);
  while (iommu->flushing) pthread_cond_wait(&iommu->flush_done, &iommu->bitmap_lock);
  if (iommu->need_flush) {
    iommu->need_flush = 0;
    iommu->flushing = 1;
    pthread_mutex_unlock(&iommu->bitmap_lock);
    amd_flush_garts(iommu);
    pthread_mutex_lock(&iommu->bitmap_lock);
    iommu->flushing = 0;
    pthread_cond_broadcast(&iommu->flush_done);
  }
  pthread_mutex_unlock(&iommu->bitmap_lock);
}

/* Debugging aid for drivers that do not free what they mapped: the first time, count what is taken. */
static int dump_leak(struct gart_iommu* iommu) {
  static int dump;
  int first;
  int used = 0;

  pthread_mutex_lock(&leak_lock);
  first = !dump;        // NORACE: under leak_lock
  if (first) dump = 1;  // NORACE: under leak_lock
  pthread_mutex_unlock(&leak_lock);
  if (!first) return 0;
  pthread_mutex_lock(&iommu->bitmap_lock);
  for (int i = 0; i < IOMMU_PAGES; i++) used += iommu->bitmap[i];
  pthread_mutex_unlock(&iommu->bitmap_lock);
  return used;
}

static void iommu_full(struct gart_iommu* iommu, int npages) {
  int leaked = dump_leak(iommu);

  pthread_mutex_lock(&iommu->bitmap_lock);
  iommu->full_pages += npages + leaked;
  pthread_mutex_unlock(&iommu->bitmap_lock);
}

/* Maps one physical area; the caller has entered, and flushes. */
static int dma_map_area(struct gart_iommu* iommu, unsigned long phys, int npages) {
  int page = alloc_iommu(iommu, npages);

  if (page < 0) {
    iommu_full(iommu, npages);
    return -1;
  }
  for (int i = 0; i < npages; i++) {
    unsigned flags = iommu->pte_flags;  // NORACE: gart_power writes them only while there is no mapper

    iommu->gatt[page + i] = (unsigned)phys | flags;  // NORACE: ours: the bits of these pages are set, by us
    phys += 1ul << PAGE_SHIFT;
  }
  return page;
}

static int gart_map_page(struct gart_iommu* iommu, unsigned long phys, int npages, unsigned long* bus) {
  int page;

  if (npages > IOMMU_PAGES - AGP_PAGES) { /* never fits: no need to look for room */
    iommu_full(iommu, npages);
    return -1;
  }
  gart_enter(iommu);
  page = dma_map_area(iommu, phys, npages);
  flush_gart(iommu);
  if (page >= 0) {
    *bus = iommu->bus_base + ((unsigned long)page << PAGE_SHIFT);  // NORACE: it moves only while there is no mapper
  }
  gart_exit(iommu);
  return page;
}

static void gart_unmap_page(struct gart_iommu* iommu, int page, int npages) {
  gart_enter(iommu);
  for (int i = 0; i < npages; i++) {
    iommu->gatt[page + i] = GPTE_UNMAPPED;  // NORACE: still ours: their bits are cleared below
  }
  free_iommu(iommu, page, npages);
  gart_exit(iommu);
}

/* The ring of a device: as large as the aperture has room for. The first tries are too large for any. */
static int alloc_ring(struct gart_iommu* iommu, unsigned long phys) {
  unsigned long bus;

  for (int npages = RING_PAGES_MAX; npages > 1; npages /= 4) {
    int page = gart_map_page(iommu, phys, npages, &bus);

    if (page >= 0) return page;
  }
  return -1;
}

static struct tx_slot* nic_take_slot(struct nic* nic, int from, int to) {
  struct tx_slot* taken = 0;

  pthread_mutex_lock(&nic->lock);
  for (int i = 0; i < NR_SLOTS && !taken; i++) {
    if (nic->slots[i].state != from) continue;  // NORACE: under the lock of the device
    taken = &nic->slots[i];
    taken->state = to;  // NORACE: under the lock of the device
  }
  if (!taken && from == SLOT_FREE) nic->tx_dropped++;
  pthread_mutex_unlock(&nic->lock);
  return taken;
}

static void nic_give_slot(struct nic* nic, struct tx_slot* slot, int state) {
  pthread_mutex_lock(&nic->lock);
  slot->state = state;  // NORACE: under the lock of the device
  if (state == SLOT_POSTED)
    nic->tx_posted++;
  else
    nic->tx_done++;
  pthread_mutex_unlock(&nic->lock);
}

/* Entry: the queue of the network card. A slot that is SLOT_FILLING is ours. */
static void* nic_xmit(void* arg) {
  struct nic* nic = arg;

  nic->ring_page = alloc_ring(nic->iommu, 0x100000);
  for (int i = 0; i < NR_PACKETS; i++) {
    struct tx_slot* slot = nic_take_slot(nic, SLOT_FREE, SLOT_FILLING);
    unsigned long bus = 0;
    int page;

    if (!slot) continue;
    page = gart_map_page(nic->iommu, 0x200000, 1, &bus);
    if (page < 0) {
      nic_give_slot(nic, slot, SLOT_FREE);
      continue;
    }
    slot->iommu_page = page;  // NORACE: the slot is SLOT_FILLING: nic_interrupt leaves it alone
    slot->npages = 1;         // NORACE: the slot is SLOT_FILLING: nic_interrupt leaves it alone
    slot->bus = bus;          // NORACE: the slot is SLOT_FILLING: nic_interrupt leaves it alone
    nic_give_slot(nic, slot, SLOT_POSTED);
  }
  return 0;
}

/* Entry: the card has sent what was posted. A slot that is SLOT_REAPING is ours. */
static void* nic_interrupt(void* arg) {
  struct nic* nic = arg;

  for (int i = 0; i < NR_PACKETS; i++) {
    struct tx_slot* slot = nic_take_slot(nic, SLOT_POSTED, SLOT_REAPING);
    int page, npages;

    if (!slot) continue;
    page = slot->iommu_page;  // NORACE: the slot was SLOT_POSTED, and is SLOT_REAPING: nic_xmit leaves it alone
    npages = slot->npages;    // NORACE: the slot is SLOT_REAPING: nic_xmit leaves it alone
    gart_unmap_page(nic->iommu, page, npages);
    slot->bus = 0;  // NORACE: the slot is SLOT_REAPING: nic_xmit leaves it alone
    nic_give_slot(nic, slot, SLOT_FREE);
  }
  return 0;
}

static int gart_map_sg(struct disk* disk, int nents) {
  unsigned long bus;

  for (int i = 0; i < nents; i++) {
    struct scatterlist* s = &disk->sg[i];

    s->iommu_page = gart_map_page(disk->iommu, s->phys, 1, &bus);
    if (s->iommu_page < 0) return i;
  }
  return nents;
}

/* Entry: one request of the disk, which polls for its end. */
static void* disk_queue(void* arg) {
  struct disk* disk = arg;
  int mapped;

  disk->ring_page = alloc_ring(disk->iommu, 0x300000);
  mapped = gart_map_sg(disk, SG_ENTRIES);
  if (mapped < SG_ENTRIES) disk->errors++;
  for (int i = 0; i < mapped; i++) gart_unmap_page(disk->iommu, disk->sg[i].iommu_page, 1);
  return 0;
}

/* Entry: the AGP driver binds memory. Its pages have their bits set from the start and are never given back. */
static void* agp_bind_memory(void* arg) {
  struct gart_iommu* iommu = arg;

  gart_enter(iommu);
  for (int i = 0; i < AGP_PAGES; i++) {
    iommu->gatt[i] = GPTE_VALID | (unsigned)(i + 1) << PAGE_SHIFT;  // NORACE: below AGP_PAGES: never free, only ours
  }
  pthread_mutex_lock(&iommu->bitmap_lock);
  iommu->need_flush = 1;
  pthread_mutex_unlock(&iommu->bitmap_lock);
  flush_gart(iommu);
  gart_exit(iommu);
  return 0;
}

/* The aperture may come back elsewhere, with its registers reset. Nobody maps: pm_state is PM_SUSPENDED. */
static void gart_resume(struct gart_iommu* iommu) {
  int valid = 0;

  for (int i = 0; i < IOMMU_PAGES; i++) {
    if (iommu->gatt[i] & GPTE_VALID) valid++;  // NORACE: no mapper is left, and none enters before PM_RUNNING
  }
  iommu->bus_base += 0x1000000;                   // NORACE: no mapper is left, and none enters before PM_RUNNING
  iommu->pte_flags = GPTE_VALID | GPTE_COHERENT;  // NORACE: no mapper is left, and none enters before PM_RUNNING
  for (int i = 0; i < NR_NORTHBRIDGES; i++) {
    struct northbridge* nb = &iommu->nb[i];

    nb->flush_word = valid ? 1 : 0;  // NORACE: no mapper is left, thus no flusher
    nb->aper_ctl = GARTEN;           // NORACE: no mapper is left, thus no flusher
  }
}

/* Entry: suspend, then resume at once. */
static void* gart_power(void* arg) {
  struct gart_iommu* iommu = arg;

  pthread_mutex_lock(&iommu->bitmap_lock);
  iommu->pm_state = PM_SUSPENDING;
  while (iommu->mappers > 0) pthread_cond_wait(&iommu->pm_change, &iommu->bitmap_lock);
  iommu->pm_state = PM_SUSPENDED;
  pthread_mutex_unlock(&iommu->bitmap_lock);

  gart_resume(iommu);

  pthread_mutex_lock(&iommu->bitmap_lock);
  iommu->need_flush = 1;
  iommu->pm_state = PM_RUNNING;
  pthread_cond_broadcast(&iommu->pm_change);
  pthread_mutex_unlock(&iommu->bitmap_lock);
  return 0;
}

static void gart_iommu_init(struct gart_iommu* iommu) {
  iommu->bus_base = 0x80000000ul;
  iommu->pte_flags = GPTE_VALID;
  for (int i = 0; i < AGP_PAGES; i++) iommu->bitmap[i] = 1;
  for (int i = 0; i < NR_NORTHBRIDGES; i++) iommu->nb[i].aper_ctl = GARTEN;
}

int main(void) {
  pthread_t xmit, disk, interrupt, agp, power;

  gart_iommu_init(&gart);
  eth0.iommu = &gart;
  sda.iommu = &gart;
  for (int i = 0; i < SG_ENTRIES; i++) sda.sg[i].phys = 0x400000ul + ((unsigned long)i << PAGE_SHIFT);
  pthread_create(&xmit, 0, nic_xmit, &eth0);
  pthread_create(&disk, 0, disk_queue, &sda);
  pthread_create(&interrupt, 0, nic_interrupt, &eth0);
  pthread_create(&agp, 0, agp_bind_memory, &gart);
  pthread_create(&power, 0, gart_power, &gart);
  pthread_join(xmit, 0);
  pthread_join(disk, 0);
  pthread_join(interrupt, 0);
  pthread_join(agp, 0);
  pthread_join(power, 0);
  return 0;
}
