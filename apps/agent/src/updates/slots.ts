import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { makeInert, type UpdateManifest, type UpdateReport } from '@pult/link';
import { syncFolder, writeFileAtomic } from '../platform/atomic-file.ts';

/**
 * Two files for versions of the agent beside the installed one, and lines that say which of them counts. The launcher
 * (deploy/pult-agent-launcher) reads the same lines:
 * - `current`: what is started. Without it, or where its file is damaged, the installed agent is.
 * - `next`: what is started instead until it has linked, or was tried in vain.
 * - `returned`: the last one that was tried in vain, and why.
 */
export interface Slots {
  /**
   * Keeps the file in the slot that does not count, and has it started next. Rejects where it is not what the manifest says, or
   * does not fit on the disk: then all stays as it was.
   */
  stage(manifest: UpdateManifest, file: AsyncIterable<Uint8Array>): Promise<void>;
  /** True from `stage` on until the launcher has started it and it has linked, or not. */
  isStaged(): boolean;
  /** This process has linked: if it is tried out, it is what is started from now on. True then. */
  confirm(): boolean;
  report(): UpdateReport | undefined;
}

interface SlotLine {
  slot: 'a' | 'b';
  sha256: string;
  id: string;
  version: string;
}

/** `tried`: the update whose first start this process is. */
export function openSlots(folder: string, tried: string | undefined): Slots {
  const path = (name: string) => join(folder, name);

  function readLines(name: string): string[] {
    try {
      return readFileSync(path(name), 'utf8').split('\n');
    } catch {
      return [];
    }
  }
  function readSlot(name: string): SlotLine | undefined {
    const [, slot, sha256, id, version] =
      /^([ab]) ([0-9a-f]{64}) (\S+) (\S+)$/.exec(readLines(name)[0] ?? '') ?? [];
    if ((slot !== 'a' && slot !== 'b') || !sha256 || !id || !version) return undefined;
    return { slot, sha256, id, version };
  }

  return {
    async stage({ id, version, size, sha256 }, file) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const slot = readSlot('current')?.slot === 'a' ? 'b' : 'a';
      const target = path(`${slot}.mjs`);
      try {
        await writeChecked(target, file, { size, sha256 });
        writeFileAtomic(path('next'), `${slot} ${sha256} ${id} ${version}\n`);
      } catch (error) {
        rmSync(target, { force: true });
        rmSync(path('next.new'), { force: true });
        throw error;
      }
    },
    isStaged: () => readSlot('next') !== undefined,
    confirm() {
      if (tried === undefined || readSlot('next')?.id !== tried) return false;
      rmSync(path('returned'), { force: true });
      renameSync(path('next'), path('current'));
      syncFolder(folder);
      return true;
    },
    report() {
      const next = readSlot('next');
      if (next) return { id: next.id, outcome: 'started' };
      const [id, reason = ''] = readLines('returned');
      if (id) return { id, outcome: 'returned', reason: makeInert(reason.slice(0, 200), ' ') };
      const current = readSlot('current');
      return current && { id: current.id, outcome: 'done' };
    },
  };
}

/** Writes what comes, and no more than was said, so that it is on the disk when this resolves. */
async function writeChecked(
  path: string,
  file: AsyncIterable<Uint8Array>,
  { size, sha256 }: { size: number; sha256: string },
): Promise<void> {
  const hash = createHash('sha256');
  let written = 0;
  const handle = await open(path, 'w', 0o600);
  try {
    for await (const chunk of file) {
      written += chunk.length;
      if (written > size) throw new Error('the file is longer than was signed');
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
    if (written < size) throw new Error('the file came in part only');
    if (hash.digest('hex') !== sha256) throw new Error('the file is not the one that was signed');
    await handle.sync();
  } finally {
    await handle.close();
  }
}
