/** Where `npm start` writes down what server and agent say, so that the screen stays for what people need. */

import { closeSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** One older file of this size is kept beside the one that is written. */
const defaultLimit = 10_000_000;

/**
 * A file of lines for its owner alone; what an earlier run wrote is kept as `<path>.1`. Begun by `open`, once it is known that
 * no other run writes it; what was written before comes first. From then on written at once, so that nothing is missing
 * however the run ends.
 */
export class LogFile {
  /** @type {number | undefined} */
  #file;
  /** @type {string[] | undefined} */
  #early = [];
  #limit;
  #size = 0;

  /**
   * @param {string} path
   * @param {{ limit?: number }} [options] bytes after which a new file begins
   */
  constructor(path, { limit = defaultLimit } = {}) {
    this.path = path;
    this.#limit = limit;
  }

  get isOpen() {
    return this.#file !== undefined;
  }

  /** Throws where there can be no such file; what is written is dropped then. A second call does nothing. */
  open() {
    const early = this.#early;
    if (!early) return;
    this.#early = undefined;
    // The folder is the server's data folder, which nobody else reads.
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    this.#file = this.#begin();
    for (const text of early) this.#append(text);
  }

  /**
   * @param {string} source who says it, for lines that do not tell the time themselves
   * @param {string} line
   */
  write(source, line) {
    const text = line.startsWith('{') ? `${line}\n` : `${new Date().toISOString()} ${source}: ${line}\n`;
    if (this.#early) this.#early.push(text);
    else this.#append(text);
  }

  /** @param {string} text */
  #append(text) {
    if (this.#file === undefined) return;
    const bytes = Buffer.byteLength(text);
    try {
      if (this.#size + bytes > this.#limit) {
        closeSync(this.#file);
        this.#file = this.#begin();
        this.#size = 0;
      }
      this.#size += bytes;
      writeSync(this.#file, text);
    } catch {
      // A full disk ends no server.
    }
  }

  #begin() {
    try {
      renameSync(this.path, `${this.path}.1`);
    } catch {
      // There was none.
    }
    return openSync(this.path, 'w', 0o600);
  }
}
