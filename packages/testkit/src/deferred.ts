/** `Promise.withResolvers`, which Node 20 lacks. */
export function createDeferred<T = void>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
