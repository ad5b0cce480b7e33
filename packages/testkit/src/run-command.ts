import { type ChildProcess, spawn } from 'node:child_process';
import { baseEnvironment } from './running-process.ts';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { env = {}, input, timeoutMs = 60_000 }: RunCommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(command, args, {
    stdio: 'pipe',
    env: { ...baseEnvironment(), ...env },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {}); // it may end before it has read everything
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }),
  ]);
  return { code, stdout, stderr };
}

export interface RunCommandOptions {
  env?: Readonly<Record<string, string>>;
  input?: string | Buffer;
  timeoutMs?: number;
}

async function readAll(stream: NonNullable<ChildProcess['stdout']>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
