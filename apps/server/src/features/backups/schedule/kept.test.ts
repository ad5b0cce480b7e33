import { expect, it } from 'vitest';
import { nameBackup } from '../create/name-backup.ts';
import { listOutdated } from './kept.ts';

const day = 24 * 3_600_000;
const newest = Date.UTC(2026, 6, 31, 3);
const names = Array.from({ length: 400 }, (_, index) => nameBackup(new Date(newest - (index * day) / 2), []));

it('the last backup of each of the newest days, weeks and months stays', () => {
  const outdated = listOutdated(names, new Date(newest), { days: 3, weeks: 2, months: 2 });
  const staying = names.filter((name) => !outdated.includes(name));
  expect(staying).toEqual([
    'pult-20260731-030000.tar.gz',
    'pult-20260730-150000.tar.gz',
    'pult-20260729-150000.tar.gz',
    // Sunday of the week before, and the last day of June.
    'pult-20260726-150000.tar.gz',
    'pult-20260630-150000.tar.gz',
  ]);
});

it('the newest backup stays, whatever is set, and what has another name is none', () => {
  expect(listOutdated(names.slice(0, 3), new Date(newest), { days: 0, weeks: 0, months: 0 })).toEqual(
    names.slice(1, 3),
  );
  expect(
    listOutdated(
      ['notes.txt', 'pult-20269931-030000.tar.gz', 'pult-20260731-030000.tar.gz.part'],
      new Date(newest),
      {
        days: 1,
        weeks: 0,
        months: 0,
      },
    ),
  ).toEqual([]);
});

it('a gap in time takes no backup with it', () => {
  const old = ['pult-20250101-030000.tar.gz', 'pult-20240101-030000.tar.gz.age'];
  expect(listOutdated(old, new Date(newest), { days: 2, weeks: 0, months: 0 })).toEqual([]);
});

it('backups of a later time than the one just made neither count nor go', () => {
  const planted = Array.from({ length: 20 }, (_, index) => `pult-99${index + 10}0101-030000.tar.gz`);
  const ours = names.slice(0, 3);
  expect(listOutdated([...planted, ...ours], new Date(newest), { days: 1, weeks: 0, months: 0 })).toEqual(
    ours.slice(1),
  );
});
