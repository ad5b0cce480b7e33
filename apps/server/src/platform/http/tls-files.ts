import { unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Logger } from '../log.ts';

export interface TlsFiles {
  cert: string;
  key: string;
}

/** The PEM texts of the two files. */
export async function readTlsFiles(files: TlsFiles): Promise<TlsFiles> {
  const [cert, key] = await Promise.all([readFile(files.cert, 'utf8'), readFile(files.key, 'utf8')]);
  return { cert, key };
}

/**
 * Hands the pair to `renew` whenever one of its files changed. Looks by name every `intervalMs`: renewers replace
 * files, or the folder a link points to, which a watch of the file itself does not see. Between the two files a
 * pair may not fit; `renew` throws, the old one stays, and the change of the second file comes here again.
 * Returns the function that stops it.
 */
export function watchTlsFiles(
  files: TlsFiles,
  renew: (tls: TlsFiles) => void,
  { log, intervalMs = 10_000 }: { log: Logger; intervalMs?: number },
): () => void {
  const onChange = () => {
    readTlsFiles(files)
      .then(renew)
      .then(
        () => log.info('TLS certificate renewed'),
        (error: Error) =>
          log.warn({ error: error.message }, 'TLS certificate not renewed, the old one stays'),
      );
  };
  const paths = [files.cert, files.key];
  for (const path of paths) watchFile(path, { interval: intervalMs, persistent: false }, onChange);
  return () => {
    for (const path of paths) unwatchFile(path, onChange);
  };
}
