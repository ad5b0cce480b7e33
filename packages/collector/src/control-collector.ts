import { type ControlMeta, type TelemetryTitle, telemetryLimits } from '@pult/link';
import { cleanText, toInertText } from './inert-text.ts';
import { readDeviceTitle, readMeta } from './meta.ts';
import { changeSources, joinSources, type MetaSources, packSources, unpackSources } from './meta-sources.ts';
import type { TelemetryLog } from './telemetry-log.ts';
import type { Subject, TopicPattern } from './topic-pattern.ts';

/**
 * There are ten thousand of them: what the log keeps is not kept here again. In the log a control stands for its value,
 * its key for its description.
 */
interface Control {
  value: string | null;
  /** In whole milliseconds: a fraction would take an object of its own. */
  publishedAt: number;
  /** Who says what of it besides its value, which the log has; 0 while nobody says anything: the bits of packSources. */
  saidBy: number;
}

interface ControlName {
  device: string;
  control: string;
}
const keyOf = ({ device, control }: ControlName) => `${device}/${control}`;

/** What a device is called, by the JSON object of its `meta` and by the topic beside it. */
interface DeviceTitles {
  object: TelemetryTitle;
  name: string | null;
}
const untitled: TelemetryTitle = { en: null, ru: null };
const joinTitles = ({ object, name }: DeviceTitles): TelemetryTitle => ({
  en: object.en ?? name,
  ru: object.ru,
});

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
  /** What the topics of a control say otherwise than the JSON object beside them. */
  const hidden = new Map<string, MetaSources['topics']>();
  const titles = new Map<string, DeviceTitles>();
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
    const created = { value: null, publishedAt: Number.NEGATIVE_INFINITY, saidBy: 0 };
    controls.set(key, created);
    gone.delete(key);
    return created;
  }

  function getSources(key: string, { saidBy }: Control): MetaSources {
    if (saidBy === 0) return { object: {}, topics: {} };
    // Put there by takeMeta.
    return unpackSources(log.get(key)?.meta as ControlMeta, { bits: saidBy, hidden: hidden.get(key) });
  }

  /** Its topics are empty: the driver took it away. */
  function dropIfEmpty({ device, control }: ControlName, key: string, held: Control): boolean {
    if (held.value !== null || held.saidBy !== 0) return false;
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
    if (isSame && (isRetained || now() - held.publishedAt < repeatMs)) return;
    held.value = value;
    held.publishedAt = Math.round(now());
    if (value === null && dropIfEmpty(name, key, held)) return;
    log.put(held, { ...name, value: value ?? '' });
  }

  function takeMeta(name: ControlName, part: string, payload: Buffer): void {
    const change = readMeta(part, payload);
    const key = keyOf(name);
    const held = change && getControl(key, payload.length > 0);
    if (!held) return;
    const known = getSources(key, held);
    const { object, topics } = changeSources(known, change);
    const sources = { object: log.isFull ? { ...object, enum: undefined } : object, topics };
    const packed = packSources(sources);
    held.saidBy = packed.bits;
    if (packed.hidden) hidden.set(key, packed.hidden);
    else hidden.delete(key);
    const meta = joinSources(sources);
    if (JSON.stringify(meta) === JSON.stringify(joinSources(known))) return;
    if (!dropIfEmpty(name, key, held)) log.put(key, { ...name, meta });
  }

  function takeTitle(device: string, part: string, told: TelemetryTitle): void {
    const known = titles.get(device);
    if (!known && titles.size >= telemetryLimits.devices) return;
    const before = known ?? { object: untitled, name: null };
    const after = part === 'name' ? { ...before, name: told.en } : { ...before, object: told };
    const title = joinTitles(after);
    const isSame = JSON.stringify(title) === JSON.stringify(joinTitles(before));
    // Nothing is kept of a device that has never had a name.
    if (known || !isSame) titles.set(device, after);
    // No key of a control: that has a slash in it.
    if (!isSame) log.put(device, { device, title });
  }

  return {
    /** Never throws. */
    take(topic: string, payload: Buffer, isRetained: boolean): void {
      const subject: Subject | null = pattern.match(topic);
      if (!subject || subject.device === ownDevice) return;
      const device = cleanText(subject.device, telemetryLimits.idLength);
      if (subject.kind === 'device-meta') {
        const title = readDeviceTitle(subject.part, payload);
        if (title) takeTitle(device, subject.part, title);
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
