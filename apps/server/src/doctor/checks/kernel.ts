import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findLockOwner } from '@pult/files';
import type { DoctorCheck } from '../doctor.ts';
import { type Finding, ok, warn } from '../finding.ts';

/** Files that a server has open whatever the fleet, with room for people and tunnels. */
const ownFiles = 2_000;
/** A link has a second connection while it carries bulk. */
const filesPerController = 2;
/** What the server asks for when it listens. */
const backlog = 4_096;

/** What the system lets one program have, against the number of controllers. */
export const kernel: DoctorCheck = {
  name: 'kernel',
  async run({ config, countControllers }) {
    const controllers = (await countControllers()) ?? 0;
    const findings: Finding[] = [];
    const owner = await findLockOwner(join(config.data.dir, 'server.lock'));
    const files = await readFileLimit(owner?.pid ?? 'self');
    if (files !== undefined) {
      const needed = ownFiles + filesPerController * controllers;
      const whose = owner ? 'the server' : 'a program started here';
      const text = {
        en: `${whose} may have ${Number.isFinite(files) ? files : 'any number of'} files and connections open; ${controllers} controllers need ${needed}`,
        ru: `${owner ? 'сервер может' : 'запущенная здесь программа может'} открыть файлов и соединений: ${Number.isFinite(files) ? files : 'сколько угодно'}; нужно ${needed} (контроллеров: ${controllers})`,
      };
      findings.push(
        files < needed
          ? warn(text, {
              en: `Set LimitNOFILE=${roundUp(needed)} in the service, or ulimit -n before the start.`,
              ru: `Задайте LimitNOFILE=${roundUp(needed)} в службе или ulimit -n перед запуском.`,
            })
          : ok(text),
      );
    }
    const queue = await readNumber('/proc/sys/net/core/somaxconn');
    if (queue !== undefined) {
      const needed = Math.min(backlog, Math.max(128, controllers));
      const text = {
        en: `${queue} new connections may wait to be taken; ${needed} are enough for this fleet when it comes back at once`,
        ru: `новых соединений может ждать приёма: ${queue}; когда парк возвращается разом, хватит ${needed}`,
      };
      findings.push(
        queue < needed
          ? warn(text, {
              en: `sysctl -w net.core.somaxconn=${backlog}, and the same in /etc/sysctl.d/`,
              ru: `sysctl -w net.core.somaxconn=${backlog}, и то же в /etc/sysctl.d/`,
            })
          : ok(text),
      );
    }
    return findings;
  },
};

const roundUp = (count: number) => 2 ** Math.ceil(Math.log2(count));

async function readFileLimit(pid: number | 'self'): Promise<number | undefined> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
  if (soft === undefined) return undefined;
  return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
}

async function readNumber(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text);
}
