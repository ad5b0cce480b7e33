import { readFile } from 'node:fs/promises';
import type { Logger } from '../log.ts';

/** Certificate and key: paths, or the PEM texts in them. */
export interface TlsPair {
  cert: string;
  key: string;
}

/** What has been renewed: the server's certificate, or that of the tunnel hosts or ports, or of Wiren Board's names, where it is another. */
export interface RenewedTls {
  tls?: TlsPair;
  tunnelTls?: TlsPair;
  wirenBoardTls?: TlsPair;
}

/** The PEM texts of the two files. */
export async function readTlsFiles(files: TlsPair): Promise<TlsPair> {
  const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')]);
  return { cert, key };
}

/**
 * Hands the pair to `renew` whenever it is another than before, beginning with `current`. Reads the files again
 * every `intervalMs`: renewers replace files, or the folder that a link points to, which watches of a file miss.
 * Between the two files a pair may not fit; `renew` throws, and the old one stays until the other file is there.
 * Returns the function that stops it.
 */
export function watchTlsFiles(
  files: TlsPair,
  current: TlsPair,
  renew: (pair: TlsPair) => void,
  { log, intervalMs = 10_000 }: { log: Logger; intervalMs?: number },
): () => void {
  let seen = current;
  let problem = '';

  async function look(): Promise<void> {
    try {
      const pair = await readTlsFiles(files);
      if (pair.cert === seen.cert && pair.key === seen.key) return;
      seen = pair;
      renew(pair);
      problem = '';
      log.info('TLS certificate renewed');
    } catch (error) {
      const { message } = error as Error; // of the file system or of OpenSSL
      // Files that are gone stay gone for many looks; one line says it.
      if (message !== problem) log.warn({ err: error }, 'TLS certificate not renewed, the old one stays');
      problem = message;
    }
  }

  const timer = setInterval(() => void look(), intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
