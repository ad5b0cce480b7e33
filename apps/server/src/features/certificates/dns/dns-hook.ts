import { spawn } from 'node:child_process';
import type { Logger } from '../../../platform/log.ts';
import { oneLine } from '../../../platform/one-line.ts';
import { CertificateProblem } from '../problem.ts';

const defaultTimeoutMs = 60_000;
const longestOutput = 4_096;

/**
 * Runs the operator's program as `PROGRAM add|remove NAME VALUE`, without a shell. It gets none of the server's variables, which
 * hold secrets, and is killed with all that it has started when it takes too long.
 */
export async function runDnsHook(
  program: string,
  [action, name, value]: readonly ['add' | 'remove', string, string],
  { log, timeoutMs = defaultTimeoutMs }: { log: Logger; timeoutMs?: number | undefined },
): Promise<void> {
  const { PATH = '', HOME = '', LANG = '' } = process.env;
  const child = spawn(program, [action, name, value], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, LANG },
    cwd: '/',
    detached: true,
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    if (output.length < longestOutput) output = (output + chunk.toString('utf8')).slice(0, longestOutput);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const end = await new Promise<{ code: number | null; error?: Error; isLate?: boolean }>((resolve) => {
    const timer = setTimeout(() => {
      resolve({ code: null, isLate: true });
      killGroup(child.pid);
    }, timeoutMs);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: null, error });
    });
    // Not `close`: what it has left in the background may hold its output open.
    child.on('exit', (code) => {
      clearTimeout(timer);
      // What it wrote last is still on its way.
      setImmediate(() => resolve({ code }));
    });
  });
  child.stdout.destroy();
  child.stderr.destroy();
  const said = oneLine(output.replaceAll(value, '(value)'));
  if (end.code === 0) {
    log.info({ program, action, name, said }, 'the DNS program has run');
    return;
  }
  log.warn({ program, action, name, code: end.code, said }, 'the DNS program failed');
  const quoted = said === '' ? '' : `: ${said}`;
  if (end.error) {
    throw new CertificateProblem(
      {
        en: `The program ${program} could not be started: ${oneLine(end.error.message)}`,
        ru: `Программа ${program} не запустилась: ${oneLine(end.error.message)}`,
      },
      {
        en: 'Look whether the path in ACME_DNS_HOOK is right and the server may execute it.',
        ru: 'Проверьте путь в ACME_DNS_HOOK и что серверу разрешено его запускать.',
      },
      { cause: end.error },
    );
  }
  if (end.isLate) {
    throw new CertificateProblem(
      {
        en: `The program ${program} did not end within ${timeoutMs / 1000} s and was killed${quoted}`,
        ru: `Программа ${program} не завершилась за ${timeoutMs / 1000} с и была остановлена${quoted}`,
      },
      {
        en: `Run "${program} ${action} ${name} test" by hand and see what it waits for.`,
        ru: `Запустите «${program} ${action} ${name} test» вручную и посмотрите, чего она ждёт.`,
      },
    );
  }
  throw new CertificateProblem(
    {
      en: `The program ${program} failed with code ${end.code ?? 'none (a signal)'}${quoted}`,
      ru: `Программа ${program} завершилась с кодом ${end.code ?? 'нет (сигнал)'}${quoted}`,
    },
    {
      en: `Run "${program} ${action} ${name} test" by hand and see why.`,
      ru: `Запустите «${program} ${action} ${name} test» вручную и посмотрите почему.`,
    },
  );
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}
