/** Resolves after that time, or as soon as the signal fires. */
export function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', settle);
      resolve();
    };
    // Not the one of timers/promises: tests can turn this one.
    const timer = setTimeout(settle, milliseconds);
    if (signal.aborted) settle();
    else signal.addEventListener('abort', settle, { once: true });
  });
}
