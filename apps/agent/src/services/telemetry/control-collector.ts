import { type ControlMeta, type TelemetryTitle, telemetryLimits } from '@pult/link';
import { cleanText, toInertText } from './inert-text.ts';
import { emptyMeta, readDeviceTitle, readMeta } from './meta.ts';
import type { TelemetryLog } from './telemetry-log.ts';
import type { Subject, TopicPattern } from './topic-pattern.ts';

interface Control {
  device: string;
  control: string;
  value: string | null;
  toldAt: number;
  meta: ControlMeta;
}

/** A value that did not change is told again after this, so that its age stays true; in milliseconds. */
const repeatMs = 30_000;
/** Controls that were taken away and may not have been told of yet; the oldest of more are forgotten. */
const maxGone = 1000;
/** Values are cut to this once too much is kept. */
const shortValue = 40;

interface CollectorOptions {
  log: TelemetryLog;
  pattern: TopicPattern;
  /** What this agent publishes itself is nobody's telemetry. */
  ownDevice: string;
  print(line: string): void;
  now?: () => number;
}

/** Turns messages of the broker into what is to be told: bounded in number and length, whatever they carry. */
export function createControlCollector(options: CollectorOptions) {
  const { log, pattern, ownDevice, print, now = () => performance.now() } = options;
  const controls = new Map<string, Control>();
  const titles = new Map<string, string>();
  const gone = new Set<string>();
  let isOverLimit = false;

  function warnOnce(): void {
    if (isOverLimit) return;
    isOverLimit = true;
    print(`mqtt: more than ${telemetryLimits.controls} controls; the others are not told to the server`);
  }

  function getControl(device: string, control: string, isNeeded: boolean): Control | undefined {
    const key = `${device}/${control}`;
    const known = controls.get(key);
    if (known || !isNeeded) return known;
    if (controls.size >= telemetryLimits.controls) return void warnOnce();
    const created = { device, control, value: null, toldAt: Number.NEGATIVE_INFINITY, meta: emptyMeta };
    controls.set(key, created);
    gone.delete(key);
    return created;
  }

  /** Its topics are empty: the driver took it away. */
  function dropIfEmpty(key: string, { device, control, value, meta }: Control): boolean {
    if (value !== null || JSON.stringify(meta) !== JSON.stringify(emptyMeta)) return false;
    controls.delete(key);
    log.forget(`value ${key}`);
    log.put(`meta ${key}`, { device, control, gone: true });
    gone.add(key);
    const [oldest] = gone;
    if (gone.size > maxGone && oldest !== undefined) {
      gone.delete(oldest);
      log.forget(`meta ${oldest}`);
    }
    return true;
  }

  function takeValue(device: string, control: string, payload: Buffer, isRetained: boolean): void {
    const isEmpty = payload.length === 0;
    const held = getControl(device, control, !isEmpty);
    if (!held) return;
    const key = `${device}/${control}`;
    // Nothing empty can be retained: it is how a retained value is taken away.
    const value = isEmpty
      ? null
      : toInertText(payload, log.isFull ? shortValue : telemetryLimits.valueLength);
    const isSame = value === held.value;
    // After a reconnection the broker says what it said before.
    if (isSame && (isRetained || now() - held.toldAt < repeatMs)) return;
    held.value = value;
    held.toldAt = now();
    if (value === null && dropIfEmpty(key, held)) return;
    log.put(`value ${key}`, { device, control, value: value ?? '' });
  }

  function takeMeta(device: string, control: string, part: string, payload: Buffer): void {
    const change = readMeta(part, payload);
    const held = change && getControl(device, control, payload.length > 0);
    if (!held) return;
    const meta = { ...held.meta, ...change };
    if (JSON.stringify(meta) === JSON.stringify(held.meta)) return;
    held.meta = meta;
    const key = `${device}/${control}`;
    if (!dropIfEmpty(key, held)) log.put(`meta ${key}`, { device, control, meta });
  }

  function takeTitle(device: string, title: TelemetryTitle): void {
    const text = JSON.stringify(title);
    if (titles.get(device) === text) return;
    if (titles.size >= telemetryLimits.devices && !titles.has(device)) return;
    titles.set(device, text);
    log.put(`device ${device}`, { device, title });
  }

  return {
    /** Never throws. */
    take(topic: string, payload: Buffer, isRetained: boolean): void {
      const subject: Subject | null = pattern.match(topic);
      if (!subject || subject.device === ownDevice) return;
      const device = cleanText(subject.device, telemetryLimits.idLength);
      if (subject.kind === 'device-meta') {
        const title = readDeviceTitle(subject.part, payload);
        if (title) takeTitle(device, title);
        return;
      }
      const control = cleanText(subject.control, telemetryLimits.idLength);
      if (subject.kind === 'value') takeValue(device, control, payload, isRetained);
      else takeMeta(device, control, subject.part, payload);
    },
    get size() {
      return controls.size;
    },
  };
}
export type ControlCollector = ReturnType<typeof createControlCollector>;
