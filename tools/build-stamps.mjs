/** What is known of earlier builds: a file for each target. Where none can be written, a start takes a little longer. */

import { accessSync, constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from './terminal.mjs';

/**
 * Of what a target was made last: its output's time, and its inputs' content and times.
 * @typedef {{ output?: number, hash?: string, times?: string }} Stamp
 */

/** @param {string} root */
const stampFolder = (root) => join(root, '.cache', 'build');

/**
 * @param {string} root of the project
 * @param {string} name
 * @returns {Stamp}
 */
export function readStamp(root, name) {
  try {
    return JSON.parse(readFileSync(join(stampFolder(root), name), 'utf8'));
  } catch {
    return {};
  }
}

/**
 * @param {string} root
 * @param {string} name
 * @param {Stamp} stamp
 */
export function writeStamp(root, name, stamp) {
  try {
    mkdirSync(stampFolder(root), { recursive: true });
    writeFileSync(join(stampFolder(root), name), JSON.stringify(stamp));
  } catch {
    // A project that nobody may write to is started all the same, where nothing has to be built.
  }
}

/**
 * Fails in plain words where nothing can be built.
 * @param {string} root
 */
export function requireWritable(root) {
  try {
    mkdirSync(stampFolder(root), { recursive: true });
    accessSync(stampFolder(root), constants.W_OK);
  } catch {
    throw new PlainError(
      `Pult has to be built, and ${root} cannot be written to: start it as a user who may, or build it elsewhere (npm run build) and copy the folder with its times.`,
    );
  }
}
