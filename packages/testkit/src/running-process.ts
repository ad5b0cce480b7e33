import { type ChildProcess, spawn } from 'node:child_process';
import { LineLog } from './line-log.ts';
import { forgetProcess, reapProcess } from './reaper.ts';

export interface ProcessOptions {
  /** Stands in error messages. */
  name: string;
  command: string;
  args: readonly string[];
  /** On top of `baseEnvironment()`; undefined values are left out. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
}

export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** What any program needs, and nothing by which the caller's shell or test runner could change its behaviour. */
export function baseEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'LANG', 'LD_LIBRARY_PATH'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** For the last lines of a process that has ended. */
const outputGraceMs = 1_000;

/** A child process with its output kept for the message of a failure. It never outlives the test process. */
export class RunningProcess implements AsyncDisposable {
  readonly name: string;
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcess;
  readonly #log = new LineLog();
  #exit: ProcessExit | undefined;

  constructor(options: ProcessOptions) {
    this.name = options.name;
    const env = Object.entries({ ...baseEnvironment(), ...options.env });
    this.#child = spawn(options.command, options.args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: Object.fromEntries(env.filter(([, value]) => value !== undefined)),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const { pid, stdout, stderr } = this.#child;
    if (stdout) this.#log.read(stdout);
    if (stderr) this.#log.read(stderr);
    if (pid !== undefined) reapProcess(pid);
    this.exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      // A child of it that lives on may hold its output open: what it has to say is said by now.
      this.#child.once('exit', () => {
        setTimeout(() => {
          stdout?.destroy();
          stderr?.destroy();
        }, outputGraceMs).unref();
      });
      // `close` comes after `exit` and the last line.
      this.#child.once('close', (code, signal) => {
        if (pid !== undefined) forgetProcess(pid);
        this.#exit = { code, signal };
        resolve(this.#exit);
      });
    });
    this.exited.catch(() => {}); // whoever waits for a line or the end gets it
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error(`${this.name} did not start`);
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#exit === undefined;
  }

  /** Number of the next line it will write: the `since` of a later `waitForLine`. */
  get nextLine(): number {
    return this.#log.next;
  }

  /** The last lines of its output. */
  tail(lines = 300): string {
    return `--- last output of ${this.name}\n${this.#log.tail(lines)}\n---`;
  }

  hasLine(pattern: RegExp, since = 0): boolean {
    return this.#log.find(pattern, since) !== undefined;
  }

  /** The first line from number `since` on that matches. Rejects when the process ends or after `timeoutMs`. */
  async waitForLine(
    pattern: RegExp,
    { since = 0, timeoutMs = 30_000 }: { since?: number; timeoutMs?: number } = {},
  ): Promise<RegExpExecArray> {
    const abort = new AbortController();
    const fail = (reason: string) =>
      abort.abort(new Error(`${this.name}: ${reason} before a line like ${pattern}\n${this.tail()}`));
    const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs);
    this.exited.then(
      ({ code, signal }) => fail(`it ended (${signal ?? code})`),
      (error: Error) => fail(error.message),
    );
    try {
      return await this.#log.wait(pattern, since, abort.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** SIGTERM, then its end. A process that ignores it for `timeoutMs` is killed and counts as a failure. */
  async stop(timeoutMs = 20_000): Promise<ProcessExit> {
    if (this.#exit) return this.#exit;
    let ignored = false;
    const timer = setTimeout(() => {
      ignored = true;
      this.signal('SIGKILL');
    }, timeoutMs);
    this.signal('SIGTERM');
    const exit = await this.exited;
    clearTimeout(timer);
    if (ignored) throw new Error(`${this.name} did not stop within ${timeoutMs} ms\n${this.tail()}`);
    return exit;
  }

  async kill(): Promise<ProcessExit> {
    this.signal('SIGKILL');
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
