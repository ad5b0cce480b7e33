import { basename, resolve } from 'node:path';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { collectSupport } from '../support/support.ts';
import { writeArchive } from '../support/write-archive.ts';
import { version } from '../version.ts';

/** Writes what helps whoever looks for a fault, and says where it is. */
export async function writeSupport(given: string | undefined): Promise<void> {
  const environment = readEnvironment({ env: process.env, directory: process.cwd() });
  const at = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '');
  const path = resolve(given ?? `pult-support-${at}.tar.gz`);
  const files = await collectSupport(environment, loadConfig(environment, { version }));
  await writeArchive(path, basename(path).replace(/\.(tar\.gz|tgz)$/, ''), files).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException; // of the file system
    throw new Error(
      code === 'EEXIST' ? `${path} is there already.` : `${path} cannot be written: ${message}`,
    );
  });
  process.stdout.write(
    `${path}\nPasswords, tokens, keys and email addresses are left out; serial numbers and IP addresses are not.\n`,
  );
}
