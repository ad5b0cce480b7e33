import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the fleet is made from; made once, and only for its owner to read, as keys follow from it. */
export async function readFleetSecret(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'demo', 'fleet.key');
  await mkdir(join(dataDir, 'demo'), { recursive: true, mode: 0o700 });
  await writeFile(path, randomBytes(32), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return readFile(path);
}
