import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findCluster, measureClusterRoom } from '@pult/embedded-postgres';
import { measureDisk } from '@pult/files';
import { defaultMaxWalSize, judgeDatabaseRoom, writeLimit } from '../../platform/disk-guard.ts';
import { judgeRoom } from '../../platform/disk-space.ts';
import type { DoctorCheck } from '../doctor.ts';
import type { Examination } from '../examination.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

const gigabyte = 2 ** 30;
const megabyte = 2 ** 20;
const action = {
  en: 'Make room on this file system, give it more, or shorten METRICS_RETENTION_DAYS and DIAGNOSTICS_RETENTION_DAYS.',
  ru: 'Освободите место, увеличьте диск или уменьшите METRICS_RETENTION_DAYS и DIAGNOSTICS_RETENTION_DAYS.',
};

/** Room for DATA_DIR, in bytes and in files, and whether it may be written. */
export const disk: DoctorCheck = {
  name: 'disk',
  async run({ config, openDatabase }) {
    const { dir } = config.data;
    const space = await measureDisk(dir);
    const { bytes, availableBytes, files, availableFiles } = space;
    const text = {
      en: `${(availableBytes / gigabyte).toFixed(1)} GiB of ${(bytes / gigabyte).toFixed(1)} GiB are free at ${dir}`,
      ru: `свободно ${(availableBytes / gigabyte).toFixed(1)} из ${(bytes / gigabyte).toFixed(1)} ГиБ: ${dir}`,
    };
    const findings: Finding[] = [await findAccess(dir)];
    const room = judgeRoom(space);
    findings.push(room === 'ok' ? ok(text) : { status: room, text, action });
    const cluster = config.database.url === undefined ? await findCluster(dir) : undefined;
    if (cluster !== undefined) findings.push(await findRoom(cluster, openDatabase));
    if (files > 0) {
      const left = {
        en: `${availableFiles} of ${files} files may still be made there`,
        ru: `там можно создать ещё файлов: ${availableFiles} из ${files}`,
      };
      const few = {
        en: 'Look for folders of many small files (df -i), and remove what is not needed.',
        ru: 'Найдите папки, где много мелких файлов (df -i), и удалите лишнее.',
      };
      if (availableFiles < 1_000) findings.push(fail(left, few));
      else findings.push(availableFiles / files < 0.05 ? warn(left, few) : ok(left));
    }
    return findings;
  },
};

/** What the server makes of the room that the embedded database has. */
async function findRoom(cluster: string, openDatabase: Examination['openDatabase']): Promise<Finding> {
  const { availableBytes } = await measureClusterRoom(cluster);
  const client = await openDatabase().catch(() => undefined); // The check of the database says why.
  const found = await client?.query<{ bytes: number }>(
    "select pg_size_bytes(current_setting('max_wal_size'))::double precision as bytes",
  );
  const limit = writeLimit(found?.rows[0]?.bytes ?? defaultMaxWalSize);
  const [free, least] = [availableBytes, limit].map((bytes) => Math.floor(bytes / megabyte));
  const room = judgeDatabaseRoom(availableBytes, limit);
  if (room === 'full') {
    return fail(
      {
        en: `the database has ${free} MiB left: below ${least} MiB the server refuses changes`,
        ru: `базе данных осталось ${free} МиБ: когда меньше ${least} МиБ, сервер не принимает изменений`,
      },
      action,
    );
  }
  if (room === 'low') {
    return warn(
      {
        en: `the database has ${free} MiB left: telemetry, diagnostics, mails, webhooks and backups wait; below ${least} MiB the server refuses changes`,
        ru: `базе данных осталось ${free} МиБ: телеметрия, диагностика, письма, веб-хуки и резервные копии ждут; когда меньше ${least} МиБ, сервер не принимает изменений`,
      },
      action,
    );
  }
  return ok({
    en: `the database has room: the server refuses changes below ${least} MiB`,
    ru: `базе данных места хватает: меньше ${least} МиБ сервер не принимает изменений`,
  });
}

async function findAccess(folder: string, asked = folder): Promise<Finding> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return ok(
      folder === asked
        ? { en: `${asked} can be written`, ru: `в ${asked} можно писать` }
        : { en: `${asked} is made at the first start`, ru: `${asked} появится при первом запуске` },
    );
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // of the file system
    if (code === 'ENOENT' && dirname(folder) !== folder) return findAccess(dirname(folder), asked);
    return fail(
      {
        en: `${folder} cannot be written: ${describeError(error)}`,
        ru: `в ${folder} нельзя писать: ${describeError(error)}`,
      },
      {
        en: 'Let it belong to the user that the server runs as.',
        ru: 'Папка должна принадлежать пользователю, от которого работает сервер.',
      },
    );
  }
}
