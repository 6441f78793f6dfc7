import { JournalHistory } from "./journal-history.ts";
import type { JournalStore } from "./journal-store.ts";

/** Keeps a journal in memory; what an earlier store holds is still read there. */
export function createMemoryStore(earlier?: JournalStore): JournalStore {
  const history = earlier?.history ?? new JournalHistory();
  const packs = new Map<string, Map<string, Uint8Array>>();
  let lastPack = 0;
  const readImage = async (hash: string): Promise<Uint8Array | undefined> => {
    const place = history.images.get(hash);
    const bytes = place === undefined ? undefined : packs.get(place.file)?.get(hash);
    return bytes ?? (await earlier?.readImage(hash));
  };
  return {
    history,
    refresh: async () => {},
    async append(make, { images } = {}) {
      if (images === undefined || images.size === 0) {
        history.add(make(undefined));
        return;
      }
      const file = `memory-${(lastPack += 1)}`;
      packs.set(file, new Map(images));
      history.add(make({ file, images: [...images].map(([hash, bytes]) => [hash, 0, bytes.length]) }));
    },
    readImage,
    openImages: () => ({ read: readImage, [Symbol.asyncDispose]: async () => {} }),
    async sweep() {
      for (const file of history.takeUnused()) packs.delete(file);
    },
    compact: async () => {},
  };
}
