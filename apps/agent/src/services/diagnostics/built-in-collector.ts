import { userInfo } from 'node:os';
import { constants, createGzip } from 'node:zlib';
import { redact } from '@pult/link/redact';
import { type Pack, pack } from 'tar-stream';
import { runProgram } from './run-program.ts';
import type { Section } from './sections.ts';

/** A program says in its first lines what it was refused; later ones may be a log's own. */
const refusalBytes = 300;
/** All sections together stay far below the 100 MB that a server takes, even if nothing could be packed. */
const sectionBytes = 2 * 1024 * 1024;
const sectionTimeoutMs = 20_000;
/** What is collected leaves now and then, though the packer would rather wait for more. */
const flushIntervalMs = 5000;

export interface BuiltInOptions {
  sections: readonly Section[];
  /** Texts that are there already, by file name. */
  files: Readonly<Record<string, string>>;
  signal: AbortSignal;
  timeoutMs?: number;
}

/** A tar.gz of what each section's program says, without what looks like a secret, written while it is collected. */
export async function* collectBuiltIn(options: BuiltInOptions): AsyncGenerator<Buffer> {
  const { signal } = options;
  const tar = pack();
  const gzip = createGzip();
  const fail = (error: Error) => {
    tar.destroy();
    gzip.destroy(error);
  };
  const onAbort = () => fail(new Error('broken off'));
  tar.on('error', fail);
  tar.pipe(gzip);
  const timer = setInterval(() => gzip.flush(constants.Z_SYNC_FLUSH), flushIntervalMs);
  signal.addEventListener('abort', onAbort, { once: true });
  const writing = writeArchive(tar, options).catch(fail);
  try {
    if (signal.aborted) onAbort();
    for await (const chunk of gzip) yield chunk;
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', onAbort);
    tar.destroy();
    await writing;
  }
}

async function writeArchive(tar: Pack, options: BuiltInOptions): Promise<void> {
  const { sections, files, signal, timeoutMs = sectionTimeoutMs } = options;
  const summary: string[] = [];
  for (const [name, text] of Object.entries(files)) await addFile(tar, name, redact(Buffer.from(text)));
  for (const { file, program, args } of sections) {
    const started = performance.now();
    const { output, outcome } = await runProgram(program, {
      args,
      signal,
      timeoutMs,
      maxBytes: sectionBytes,
    });
    if (signal.aborted) return;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const forbidden = isForbidden(output) ? `not permitted to ${getUserName()}, ` : '';
    summary.push(
      `${file}: ${[program, ...args].join(' ')}: ${forbidden}${outcome}, ${seconds} s, ${output.length} bytes`,
    );
    if (output.length > 0) await addFile(tar, file, redact(output));
  }
  await addFile(tar, 'summary.txt', Buffer.from(`${summary.join('\n')}\n`));
  tar.finalize();
}

/** Whether a program was refused something, whole or in part: the agent has few rights. */
function isForbidden(output: Buffer): boolean {
  return /permission denied|not permitted|insufficient permissions|must be root/i.test(
    output.subarray(0, refusalBytes).toString('latin1'),
  );
}

function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return `the user ${process.getuid?.()}`;
  }
}

function addFile(tar: Pack, name: string, content: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ name, mode: 0o600, mtime: new Date() }, content, (error) =>
      error ? reject(error) : resolve(),
    );
  });
}
