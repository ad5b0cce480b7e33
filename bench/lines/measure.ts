import { setTimeout as wait } from 'node:timers/promises';
import { median, percentile } from '../tunnel/figures.ts';
import { type Bulk, measureRequest, startDownload, startUpload, type Target } from './bulk.ts';
import { Shell } from './keys.ts';
import type { LineSite, Peer } from './site.ts';

/** What buffers hold is on its way by then, on all but the slowest lines. */
const settleMs = 10_000;
const graceMs = 40_000;
const requestEveryMs = 3_000;

export interface Loaded {
  /** Milliseconds; endless for a key without an echo. */
  keys: number[];
  requests: number[];
  /** Of each transfer, a second. */
  kilobits: number[];
  /** Why transfers ended of their own. */
  failures: string[];
}

export interface LoadFigures {
  download: Loaded;
  upload: Loaded;
}

type StartBulk = (target: Target) => Bulk;

/** Waits until next to nothing passes: what a measurement left on the line would weigh on the next. */
export async function waitForQuiet({ tell }: LineSite): Promise<void> {
  let before = await tell('count');
  for (let tries = 0; tries < 45; tries++) {
    await wait(2_000);
    const now = await tell('count');
    if (now.up + now.down - before.up - before.down < 2_000) return;
    before = now;
  }
}

async function request(peer: Peer, seconds: number): Promise<number[]> {
  const asked: Promise<number>[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    asked.push(peer.web().then((target) => measureRequest(target)));
    await wait(requestEveryMs);
  }
  return Promise.all(asked);
}

/** Keys, and new requests, while something large flows. */
async function measureBeside(
  site: LineSite,
  peer: Peer,
  starts: readonly StartBulk[],
  seconds: number,
): Promise<Loaded> {
  await waitForQuiet(site);
  await using shell = await Shell.open(await peer.ssh());
  const bulks: Bulk[] = [];
  try {
    for (const start of starts) bulks.push(start(await peer.web()));
    await wait(settleMs);
    const count = () => Promise.all(bulks.map((bulk) => bulk.count()));
    const [from, started] = [await count(), performance.now()];
    let kilobits: number[] = [];
    const keys = async () => {
      const measured = shell.type(seconds, graceMs);
      await wait(seconds * 1000);
      const [to, milliseconds] = [await count(), performance.now() - started];
      kilobits = to.map((bytes, index) => ((bytes - (from[index] ?? 0)) * 8) / milliseconds);
      return measured;
    };
    const [echoes, requests] = await Promise.all([keys(), request(peer, seconds)]);
    const failures = bulks.flatMap(({ failure }) => failure ?? []);
    return { keys: echoes, requests, kilobits, failures };
  } finally {
    for (const bulk of bulks) bulk.stop();
  }
}

export async function measureLoad(site: LineSite, peer: Peer, seconds: number): Promise<LoadFigures> {
  const download = await measureBeside(site, peer, [startDownload], seconds);
  const upload = await measureBeside(site, peer, [startUploadOf(site)], seconds);
  return { download, upload };
}

const startUploadOf =
  (site: LineSite): StartBulk =>
  (target) =>
    startUpload(target, site.countUploaded);

/** Three downloads and an upload at once; the rates are in that order. */
export function measureMix(site: LineSite, peer: Peer, seconds: number): Promise<Loaded> {
  return measureBeside(
    site,
    peer,
    [startDownload, startDownload, startDownload, startUploadOf(site)],
    seconds,
  );
}

const monthSeconds = 30 * 24 * 3600;

/** What an unused connection costs, both ways, heads of packets included. */
export interface IdleFigures {
  seconds: number;
  bytesAMonth: number;
}

export async function measureIdle(site: LineSite, seconds: number): Promise<IdleFigures> {
  await waitForQuiet(site);
  const before = await site.tell('count');
  await wait(seconds * 1000);
  const after = await site.tell('count');
  const bytes = after.up + after.down - before.up - before.down;
  return { seconds, bytesAMonth: (bytes / seconds) * monthSeconds };
}

/** What goes on after a fault of the line: seconds after its end, or undefined. */
export interface Survival {
  terminal: number | undefined;
  download: number | undefined;
  upload: number | undefined;
  /** Until a new request is answered. */
  request: number | undefined;
}

const patienceMs = 90_000;

async function findAnswer(peer: Peer, since: number): Promise<number | undefined> {
  while (performance.now() - since < patienceMs) {
    const time = await measureRequest(await peer.web(), 5_000);
    if (Number.isFinite(time)) return (performance.now() - since) / 1000;
    await wait(500);
  }
  return undefined;
}

/** Lets nothing pass for so many seconds, or gives the device another address, while all kinds of use go on. */
export async function measureFault(site: LineSite, peer: Peer, fault: number | 'rebind'): Promise<Survival> {
  await waitForQuiet(site);
  await using shell = await Shell.open(await peer.ssh());
  const download = startDownload(await peer.web());
  const upload = startUpload(await peer.web(), site.countUploaded);
  const read = async () => ({
    terminal: shell.echoes,
    download: await download.count(),
    upload: await upload.count(),
  });
  try {
    await wait(5_000);
    await site.tell(fault === 'rebind' ? 'rebind' : 'cut');
    const rebound = performance.now();
    // What was on its way on this side of the line has arrived by then.
    await wait(fault === 'rebind' ? 2_000 : (fault * 1000) / 2);
    const before = await read();
    if (fault !== 'rebind') await wait((fault * 1000) / 2);
    shell.press();
    await site.tell('restore');
    const over = fault === 'rebind' ? rebound : performance.now();
    const answer = findAnswer(peer, over);
    const survival: Survival = {
      terminal: undefined,
      download: undefined,
      upload: undefined,
      request: undefined,
    };
    while (performance.now() - over < patienceMs) {
      await wait(250);
      const now = await read();
      for (const kind of ['terminal', 'download', 'upload'] as const)
        if (now[kind] > before[kind]) survival[kind] ??= (performance.now() - over) / 1000;
      if (survival.terminal && survival.download && survival.upload) break;
    }
    survival.request = await answer;
    return survival;
  } finally {
    download.stop();
    upload.stop();
    await waitForQuiet(site);
  }
}

/** Seconds at the median and at 95 of 100. */
export function summarize(milliseconds: readonly number[]): { p50: number; p95: number } {
  return { p50: median(milliseconds) / 1000, p95: percentile(milliseconds, 0.95) / 1000 };
}
