import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

const keyEveryMs = 500;
/** As long as OpenSSH's server waits for a login. */
const loginMs = 120_000;
/** Newer clients hide the rhythm of keys in traffic of their own, which is not what is measured. */
const plainKeys = ['-o', 'IgnoreUnknown=ObscureKeystrokeTiming', '-o', 'ObscureKeystrokeTiming=no'];

/** A shell of the device, whose terminal echoes each key. */
export class Shell implements AsyncDisposable {
  readonly #client: ChildProcessByStdio<Writable, Readable, null>;
  /** When each key went that has not come back. */
  #pending: number[] = [];
  #times: number[] = [];
  #echoes = 0;

  private constructor(sshArguments: readonly string[]) {
    const args = [...plainKeys, ...sshArguments, 'stty -icanon; echo ready; cat > /dev/null'];
    this.#client = spawn('ssh', ['-tt', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#client.stdin.on('error', () => {});
  }

  static async open(sshArguments: readonly string[]): Promise<Shell> {
    const shell = new Shell(sshArguments);
    const client = shell.#client;
    let text = '';
    const greeted = new Promise<void>((resolve, reject) => {
      client.stdout.on('data', (chunk: Buffer) => {
        if (text.includes('ready\r\n')) return shell.#hear(chunk.length);
        text += chunk.toString();
        if (text.includes('ready\r\n')) resolve();
      });
      client.on('error', reject);
      client.on('exit', (code) => reject(new Error(`ssh ended with ${code}: ${text}`)));
    });
    const giveUp = setTimeout(() => client.kill('SIGKILL'), loginMs);
    await greeted.finally(() => clearTimeout(giveUp));
    return shell;
  }

  #hear(bytes: number): void {
    const now = performance.now();
    for (const pressed of this.#pending.splice(0, bytes)) {
      this.#times.push(now - pressed);
      this.#echoes += 1;
    }
  }

  get echoes(): number {
    return this.#echoes;
  }

  press(): void {
    this.#pending.push(performance.now());
    this.#client.stdin.write('k');
  }

  /**
   * Milliseconds until the echo of each key that is pressed within `seconds`, whether or not the one before has come back. A key
   * without an echo `graceMs` after the last counts as endless.
   */
  async type(seconds: number, graceMs: number): Promise<number[]> {
    this.#times = [];
    this.#pending = [];
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      this.press();
      await wait(keyEveryMs);
    }
    const patience = performance.now() + graceMs;
    while (this.#pending.length > 0 && performance.now() < patience) await wait(20);
    return [...this.#times, ...this.#pending.map(() => Number.POSITIVE_INFINITY)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#client;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.#client, 'exit');
    this.#client.kill('SIGKILL');
    await ended;
  }
}
