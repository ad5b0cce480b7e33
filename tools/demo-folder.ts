/** The data folder of the demo: its own, so that no real installation is filled with what is made up. */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from './terminal.mjs';

/** What the demo alone puts into a data folder. */
const mark = 'demo';

export const passwordPath = (dataDir: string) => join(dataDir, mark, 'password');

/**
 * Makes or checks the folder; `isFresh` empties it first. Returns the administrator's password, the same at every start.
 * Fails when the folder is not the demo's, or when a demo runs on it.
 */
export function openDemoFolder(dataDir: string, isFresh: boolean): string {
  const own = join(dataDir, mark);
  const isThere = existsSync(dataDir) && readdirSync(dataDir).length > 0;
  if (isThere && !existsSync(own)) {
    throw new PlainError(
      `${dataDir} holds something else than a demo, so it is left alone.\nChoose another folder: DATA_DIR=.data/demo npm run demo`,
    );
  }
  const pidFile = join(own, 'pid');
  const pid = Number(readText(pidFile));
  if (pid && pid !== process.pid && isAlive(pid)) {
    throw new PlainError(
      `The demo is running already (process ${pid}). Stop it with Ctrl+C there, or: kill ${pid}`,
    );
  }
  if (isFresh) rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(pidFile, String(process.pid));
  process.once('exit', () => rmSync(pidFile, { force: true }));
  const passwordFile = passwordPath(dataDir);
  const kept = readText(passwordFile);
  const password = kept || randomBytes(9).toString('base64url');
  if (!kept) writeFileSync(passwordFile, password, { mode: 0o600 });
  return password;
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
