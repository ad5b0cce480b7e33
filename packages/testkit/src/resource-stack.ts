/** Closes what it was given in reverse order, all of it even when one fails. (Node 20 has no AsyncDisposableStack.) */
export class ResourceStack implements AsyncDisposable {
  readonly #resources: AsyncDisposable[] = [];

  use<T extends AsyncDisposable>(resource: T): T {
    this.#resources.push(resource);
    return resource;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (let resource = this.#resources.pop(); resource; resource = this.#resources.pop()) {
      try {
        await resource[Symbol.asyncDispose]();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join('\n'));
  }
}
