/** Bytes of memory that may be taken in all, of which a part may belong to a larger budget. */
export class ByteBudget {
  readonly #limit: number;
  readonly #parent: ByteBudget | undefined;
  #taken = 0;

  constructor(limit: number, parent?: ByteBudget) {
    this.#limit = limit;
    this.#parent = parent;
  }

  get isSpent(): boolean {
    return this.#taken >= this.#limit || (this.#parent?.isSpent ?? false);
  }

  /** Takes them if they are there. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#limit) return false;
    if (this.#parent && !this.#parent.take(bytes)) return false;
    this.#taken += bytes;
    return true;
  }

  /** Takes them in any case, or gives back what is negative. */
  add(bytes: number): void {
    this.#taken += bytes;
    this.#parent?.add(bytes);
  }
}
