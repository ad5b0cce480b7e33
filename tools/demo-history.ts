/**
 * Gives the demo a time before it began: `demo-history.ts <data folder> <serial numbers>…`. A day of measurements of these agents, which
 * end where they measure by themselves, at what this machine measures now; how many of the fleet were online; and a month of what their
 * controls were. Once: a second start goes on with what is there.
 */

import { statfsSync } from 'node:fs';
import { availableParallelism, freemem, loadavg, uptime } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type Database, openDatabase } from '@pult/server/database';
import { createHistoryRecorder, createMetricSamplesRepository } from '@pult/server/testing';
import { pastStep } from '../apps/demo/src/measurements.ts';
import { readValues } from '../apps/demo/src/mqtt/building-controls.ts';
import { imagineSwitches } from '../apps/demo/src/panel/panel-values.ts';

const minute = 60_000;
const day = 24 * 60;
/** How long before now the agents are said to have been added, in minutes. */
const age = 30 * day + 5;

/** What this machine might have measured `ago` minutes before now, when `seed` tells one controller from another. */
function imagine(ago: number, seed: number) {
  const wave = (minutes: number) => Math.sin((2 * Math.PI * ago) / minutes + seed);
  // Nothing of it at the end, where the real ones begin.
  const change = Math.min(1, ago / 120) * (0.6 * wave(day) + 0.25 * wave(170) + 0.15 * wave(37));
  const disk = statfsSync('/');
  // A machine that does nothing, or is as busy as can be, would draw a line.
  const load = Math.max(0.15, loadavg()[2] ?? 0);
  const usage = Math.min(55, Math.max(8, (100 * load) / availableParallelism()));
  return {
    load15: Math.max(0.02, load * (1 + 0.6 * change)),
    cpu_usage: usage * (1 + 0.6 * change),
    mem_available: freemem() * (1 - 0.08 * change),
    disk_free_root: disk.bavail * disk.bsize * (1 + (0.002 * ago) / day),
    ...(uptime() > ago * 60 ? { uptime: uptime() - ago * 60 } : {}),
  };
}

/** Which part of the fleet might have been online `ago` minutes before now. */
function imagineOnline(ago: number): number {
  const wave = (minutes: number) => Math.sin((2 * Math.PI * ago) / minutes);
  return 0.86 + Math.min(1, ago / 120) * (0.02 * wave(day) + 0.01 * wave(310) + 0.006 * wave(97));
}

/** The moments of the last day at which the simulated controllers have measured as well. */
function listPast(now: number): Date[] {
  const last = Math.floor(now / minute / pastStep) * pastStep;
  const count = day / pastStep;
  return Array.from(
    { length: count },
    (_, index) => new Date((last - (count - 1 - index) * pastStep) * minute),
  );
}

/** What is told in two minutes is one bucket of the history. */
const valueStep = 2 * minute;
/** Agents tell what controls there are when they are first asked. */
const controlsTimeout = 20_000;

async function waitForControls(db: Database, controllerId: string): Promise<boolean> {
  for (const end = Date.now() + controlsTimeout; Date.now() < end; await wait(500)) {
    const told = await db
      .selectFrom('mqtt_controls')
      .select('control')
      .where('controller_id', '=', controllerId)
      .where('type', 'is not', null)
      .execute();
    if (told.length > 0) return true;
  }
  return false;
}

/** A month of the controls of an agent, a day at a time; at its end they are what the agent tells. */
async function recordMonth(db: Database, controllerId: string, now: number): Promise<void> {
  if (!(await waitForControls(db, controllerId))) return;
  const recorder = createHistoryRecorder(db);
  const source = {};
  const activatedAt = new Date(now - age * minute);
  const states = new Map<string, string>();
  const begin = Math.ceil((now - 30 * day * minute) / valueStep) * valueStep;
  for (let from = begin; from < now; from += day * minute) {
    const values: { device: string; control: string; value: string; at: Date }[] = [];
    for (let at = from; at < Math.min(now, from + day * minute); at += valueStep) {
      for (const { device, control, value } of readValues(imagineSwitches(at), at)) {
        const key = `${device}/${control}`;
        // As an agent does: what changes, and all of it now and then.
        const isToldAgain = at % (60 * minute) === 0;
        if (!isToldAgain && states.get(key) === value) continue;
        states.set(key, value);
        values.push({ device, control, value, at: new Date(at) });
      }
    }
    await db.transaction().execute(async (transaction) => {
      const batch = { source, controllerId, activatedAt, values, changed: [] };
      // As it was told then: so many values at once are none of a device.
      return recorder.record(transaction, [batch], new Date(from + day * minute));
    });
  }
}

const [dataDir = '', ...serialNumbers] = process.argv.slice(2);
async function addPast(db: Database): Promise<void> {
  const now = Date.now();
  const at = (ago: number) => new Date(now - ago * minute);
  const young = await db
    .updateTable('controllers')
    .set({ activated_at: at(age) })
    .where('serial_number', 'in', serialNumbers)
    .where('activated_at', '>', at(day / 2))
    .returning(['id', 'serial_number', 'organization_id', 'enrolment_id'])
    .execute();
  const enrolments = young.map(({ enrolment_id }) => enrolment_id);
  // Whoever is added was there before.
  if (enrolments.length > 0) {
    await db
      .updateTable('enrolments')
      .set({ created_at: at(age) })
      .where('id', 'in', enrolments)
      .execute();
  }
  // The log tells of it when it is said to have been.
  await db
    .updateTable('audit_events')
    .set({ at: at(age) })
    .where('action', '=', 'controller.activated')
    .where('subject', 'in', serialNumbers)
    .where('at', '>', at(day / 2))
    .execute();
  const samples = createMetricSamplesRepository(db);
  for (const when of [at(day), at(0)]) await samples.createDay(when.toISOString().slice(0, 10));
  await db.transaction().execute((transaction) =>
    samples.insertSamples(
      transaction,
      young.flatMap(({ id, serial_number, organization_id }) => {
        const whose = { controllerId: id, serialNumber: serial_number, organizationId: organization_id };
        const seed = serialNumbers.indexOf(serial_number) * 2;
        return listPast(now).map((when) => {
          const values = imagine((now - when.getTime()) / minute, seed);
          return { ...whose, at: when, values };
        });
      }),
    ),
  );
  for (const { id } of young) await recordMonth(db, id, now);
  const [{ organization_id } = {}] = young;
  if (organization_id === undefined) return;
  const { total } = await db
    .selectFrom('controllers')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('fleet_presence')
    .values(
      listPast(now).map((when) => {
        const online = Math.round(Number(total) * imagineOnline((now - when.getTime()) / minute));
        return { organization_id, at: when, online, total: Number(total) };
      }),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const { db, close } = await openDatabase(dataDir);
await addPast(db);
await close();
