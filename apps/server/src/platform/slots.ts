/**
 * What is open for a moment, as requests are. A `Set` has a new table every few changes, and in V8 each of them is held by the one before:
 * once one of them is old, all that was in any of them since stays until old space is collected, and is copied twice before that. It was
 * a third of what a small request through a tunnel computed.
 */
export class Slots<T extends object> {
  readonly #items: (T | undefined)[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#items.length - this.#free.length;
  }

  /** Where it is, until it is deleted. */
  add(item: T): number {
    const slot = this.#free.pop() ?? this.#items.length;
    this.#items[slot] = item;
    return slot;
  }

  /** False where it is there no more. */
  delete(slot: number, item: T): boolean {
    if (this.#items[slot] !== item) return false;
    this.#items[slot] = undefined;
    this.#free.push(slot);
    return true;
  }

  /** As it is now: whoever goes through it may delete. */
  list(): T[] {
    return this.#items.filter((item) => item !== undefined);
  }
}
