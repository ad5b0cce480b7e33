/** Long-running children of `npm start`, `npm run dev` and `npm run demo`: the server, agents, and what stands beside them. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { root } from './processes.mjs';

const follower = pathToFileURL(join(root, 'tools', 'follow-parent.mjs')).href;

/**
 * A Node program in a process group of its own, so that Ctrl+C reaches us alone and we choose the order of the end.
 * `onLine` gets every line of its output, `onMessage` what it tells its parent.
 */
export class Service {
  /** @type {import('node:child_process').ChildProcess} */
  #child;
  /** @type {string[]} */
  #tail = [];

  /**
   * `base`: what the program finds in its environment besides `env`.
   * @param {string} name
   * @param {string[]} args
   * @param {{
   *   env?: NodeJS.ProcessEnv, base?: NodeJS.ProcessEnv, cwd?: string, onLine: (line: string) => void,
   *   onMessage?: (message: unknown) => void,
   * }} options
   */
  constructor(name, args, { env = {}, base = process.env, cwd = root, onLine, onMessage }) {
    this.name = name;
    this.#child = spawn(process.execPath, ['--import', follower, ...args], {
      cwd,
      env: { ...base, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    if (onMessage) this.#child.on('message', onMessage);
    for (const stream of [this.#child.stdout, this.#child.stderr].filter((pipe) => pipe !== null)) {
      createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
        this.#tail.push(line);
        if (this.#tail.length > 40) this.#tail.shift();
        onLine(line);
      });
    }
    /**
     * Resolves to how it ended: "code 1", "signal SIGKILL". Never rejects.
     * @type {Promise<string>}
     */
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => resolve(error.message));
      this.#child.once('close', (code, signal) => resolve(signal ? `signal ${signal}` : `code ${code}`));
    });
  }

  get pid() {
    return this.#child.pid;
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined;
  }

  /** The last lines it wrote. */
  get tail() {
    return this.#tail;
  }

  /**
   * A message to a program that listens to its parent.
   * @param {string} message
   */
  send(message) {
    if (this.isRunning && this.#child.connected) this.#child.send(message);
  }

  /**
   * Asks it to end, and ends it by force when that takes longer than `milliseconds`. Resolves to whether it went by itself.
   * @param {number} milliseconds
   */
  async stop(milliseconds) {
    if (!this.isRunning) return true;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.kill(), milliseconds);
    const how = await this.ended;
    clearTimeout(timer);
    return how !== 'signal SIGKILL';
  }

  /** Ends it and whatever it has started. */
  kill() {
    const { pid } = this.#child;
    if (!this.isRunning || pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#child.kill('SIGKILL');
    }
  }
}
