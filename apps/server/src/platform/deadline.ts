/** Rejects when the work takes longer; whoever does it ends it. */
export async function withDeadline<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
    // Nobody hears it any more.
    work.catch(() => {});
  }
}

/**
 * A signal that fires with the given one, and after so many milliseconds, until it is disposed of. Not `AbortSignal.any` of an
 * `AbortSignal.timeout`: Node.js 20 forgets a timeout that only the combined signal holds, and it never fires.
 */
export function limitTime(signal: AbortSignal, milliseconds: number): { signal: AbortSignal } & Disposable {
  const ending = new AbortController();
  const end = () => ending.abort(signal.reason);
  const timer = setTimeout(
    () => ending.abort(new Error(`no answer within ${milliseconds / 1000} s`)),
    milliseconds,
  );
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return {
    signal: ending.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    },
  };
}
