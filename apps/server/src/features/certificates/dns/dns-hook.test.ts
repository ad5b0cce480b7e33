import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir, poll } from '@pult/testkit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '../../../platform/log.ts';
import { CertificateProblem } from '../problem.ts';
import { runDnsHook } from './dns-hook.ts';

const log = createLog('silent');
const value = 'LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0';

async function writeProgram(script: string): Promise<{ program: string; folder: string }> {
  const folder = await makeTempDir('dns-hook');
  onTestFinished(() => folder.remove());
  const program = join(folder.path, 'hook');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return { program, folder: folder.path };
}

async function fail(program: string, timeoutMs = 10_000): Promise<CertificateProblem> {
  const error: unknown = await runDnsHook(program, ['add', '_acme-challenge.pult.test', value], {
    log,
    timeoutMs,
  }).catch((reason: unknown) => reason);
  if (!(error instanceof CertificateProblem)) throw new Error(`no problem of a certificate: ${error}`);
  return error;
}

describe('ACME_DNS_HOOK', () => {
  test('the program is called without a shell, with three arguments as they are and no variable of the server', async () => {
    vi.stubEnv('ADMIN_PASSWORD', 'qz8Vn2xKw0aa');
    const { program, folder } = await writeProgram(
      'cd "$(dirname "$0")"; printf "%s\\n" "$@" >args; env >env',
    );
    const hostile = '_acme-challenge.$(touch hacked);`touch hacked`.test';
    await runDnsHook(program, ['remove', hostile, value], { log });
    expect(await readFile(join(folder, 'args'), 'utf8')).toBe(`remove\n${hostile}\n${value}\n`);
    const env = await readFile(join(folder, 'env'), 'utf8');
    expect(env).toContain('PATH=');
    expect(env).not.toContain('ADMIN_PASSWORD');
  });

  test('a program that fails is told with what it said, but for the value, and not at any length', async () => {
    const { program } = await writeProgram(
      `echo "no zone for $2 with $3"; head -c 100000 /dev/zero | tr '\\0' x >&2; exit 3`,
    );
    const { message, advice } = await fail(program);
    expect(message).toContain('failed with code 3: ');
    expect(message).not.toContain(value);
    expect(message.length).toBeLessThan(600);
    expect(advice).toEqual({
      en: expect.stringContaining('by hand'),
      ru: expect.stringContaining('вручную'),
    });
  });

  test('a program that hangs is killed with all that it has started', async () => {
    const { program, folder } = await writeProgram('cd "$(dirname "$0")"; sleep 600 & echo $! >child; wait');
    const { message } = await fail(program, 1_000);
    expect(message).toContain('did not end within 1 s and was killed');
    const child = Number(await readFile(join(folder, 'child'), 'utf8'));
    const isGone = () => {
      try {
        process.kill(child, 0);
        return false;
      } catch {
        return true;
      }
    };
    // A dead one that nobody has waited for counts as there.
    const isZombie = async () =>
      (await readFile(`/proc/${child}/stat`, 'utf8').catch(() => ') Z')).includes(') Z');
    await poll(async () => isGone() || (await isZombie()), { what: 'its child ends' });
  });

  test('a program that leaves something behind with its output open is over when it ends', async () => {
    const { program, folder } = await writeProgram('cd "$(dirname "$0")"; sleep 20 & echo $! >child; exit 0');
    await runDnsHook(program, ['add', 'a.test', value], { log, timeoutMs: 10_000 });
    process.kill(Number(await readFile(join(folder, 'child'), 'utf8')));
  });

  test('a program that is not there, or may not be run, is told by ACME_DNS_HOOK', async () => {
    const { program } = await writeProgram('exit 0');
    await chmod(program, 0o644);
    for (const path of [program, '/none/at/all']) {
      expect(await fail(path)).toMatchObject({
        message: expect.stringContaining('could not be started'),
        advice: {
          en: expect.stringContaining('ACME_DNS_HOOK'),
          ru: expect.stringContaining('ACME_DNS_HOOK'),
        },
      });
    }
  });
});
