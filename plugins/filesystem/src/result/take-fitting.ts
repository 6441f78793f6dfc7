/** The first items that together stay within `room` by their sizes; one at least, so that paging gets on. */
export function takeFitting<Item>(items: readonly Item[], room: number, sizeOf: (item: Item) => number): Item[] {
  let left = room;
  const end = items.findIndex((item, index) => {
    left -= sizeOf(item);
    return left < 0 && index > 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
