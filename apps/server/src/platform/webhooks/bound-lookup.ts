import type { LookupAddress } from 'node:dns';

/** As `dns.lookup` with `all`; tests bring their own names. */
export type ResolveName = (
  name: string,
  options: { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Each look-up takes one of the four threads of libuv, for which files and the server's own names wait too. */
const atOnce = 2;
/** Milliseconds. */
const longestWait = 5000;

/** Looks few names up at once: those who choose a name may have its look-up last as long as they like. */
export function createBoundLookup(resolve: ResolveName): ResolveName {
  let running = 0;
  const waiting = new Set<() => void>();

  const look: ResolveName = (name, options, callback) => {
    running += 1;
    resolve(name, options, (error, addresses) => {
      running -= 1;
      const [next] = waiting;
      next?.();
      callback(error, addresses);
    });
  };

  return (name, options, callback) => {
    if (running < atOnce) return look(name, options, callback);
    const begin = () => {
      waiting.delete(begin);
      clearTimeout(timer);
      look(name, options, callback);
    };
    const timer = setTimeout(() => {
      waiting.delete(begin);
      callback(Object.assign(new Error('too many names are looked up'), { code: 'EAI_AGAIN' }), []);
    }, longestWait);
    waiting.add(begin);
  };
}
