import { type ControlMeta, type TelemetryTitle, telemetryLimits } from '@pult/link';
import { cleanText, toInertText } from './inert-text.ts';
import { emptyMeta, readDeviceTitle, readMeta } from './meta.ts';
import type { TelemetryLog } from './telemetry-log.ts';
import type { Subject, TopicPattern } from './topic-pattern.ts';

/**
 * There are ten thousand of them: what the log keeps is not kept here again. In the log a control stands for its value,
 * its key for its description.
 */
interface Control {
  value: string | null;
  /** In whole milliseconds: a fraction would take an object of its own. */
  toldAt: number;
  /** Something was said of it besides its value; the log has it. */
  isDescribed: boolean;
}

interface ControlName {
  device: string;
  control: string;
}
const keyOf = ({ device, control }: ControlName) => `${device}/${control}`;
const emptyText = JSON.stringify(emptyMeta);

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

  function getControl(key: string, isNeeded: boolean): Control | undefined {
    const known = controls.get(key);
    if (known || !isNeeded) return known;
    if (controls.size >= telemetryLimits.controls) return void warnOnce();
    const created = { value: null, toldAt: Number.NEGATIVE_INFINITY, isDescribed: false };
    controls.set(key, created);
    gone.delete(key);
    return created;
  }

  function getMeta(key: string, { isDescribed }: Control): ControlMeta {
    // Put there by takeMeta.
    return isDescribed ? (log.get(key)?.meta as ControlMeta) : emptyMeta;
  }

  /** Its topics are empty: the driver took it away. */
  function dropIfEmpty({ device, control }: ControlName, key: string, held: Control): boolean {
    if (held.value !== null || held.isDescribed) return false;
    controls.delete(key);
    log.forget(held);
    log.put(key, { device, control, gone: true });
    gone.add(key);
    const [oldest] = gone;
    if (gone.size > maxGone && oldest !== undefined) {
      gone.delete(oldest);
      log.forget(oldest);
    }
    return true;
  }

  function takeValue(name: ControlName, payload: Buffer, isRetained: boolean): void {
    const isEmpty = payload.length === 0;
    const key = keyOf(name);
    const held = getControl(key, !isEmpty);
    if (!held) return;
    // Nothing empty can be retained: it is how a retained value is taken away.
    const value = isEmpty
      ? null
      : toInertText(payload, log.isFull ? shortValue : telemetryLimits.valueLength);
    const isSame = value === held.value;
    // After a reconnection the broker says what it said before.
    if (isSame && (isRetained || now() - held.toldAt < repeatMs)) return;
    held.value = value;
    held.toldAt = Math.round(now());
    if (value === null && dropIfEmpty(name, key, held)) return;
    log.put(held, { ...name, value: value ?? '' });
  }

  function takeMeta(name: ControlName, part: string, payload: Buffer): void {
    const change = readMeta(part, payload);
    const key = keyOf(name);
    const held = change && getControl(key, payload.length > 0);
    if (!held) return;
    const known = getMeta(key, held);
    const meta = { ...known, ...change };
    const text = JSON.stringify(meta);
    if (text === JSON.stringify(known)) return;
    held.isDescribed = text !== emptyText;
    if (!dropIfEmpty(name, key, held)) log.put(key, { ...name, meta });
  }

  function takeTitle(device: string, title: TelemetryTitle): void {
    const text = JSON.stringify(title);
    if (titles.get(device) === text) return;
    if (titles.size >= telemetryLimits.devices && !titles.has(device)) return;
    titles.set(device, text);
    // No key of a control: that has a slash in it.
    log.put(device, { device, title });
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
      if (subject.kind === 'value') takeValue({ device, control }, payload, isRetained);
      else takeMeta({ device, control }, subject.part, payload);
    },
    get size() {
      return controls.size;
    },
  };
}
export type ControlCollector = ReturnType<typeof createControlCollector>;
