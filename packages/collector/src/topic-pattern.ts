import { telemetryLimits } from '@pult/link';

/** What one message is about. `part` is a topic below `meta`, or '' for the JSON object that is `meta` itself. */
export type Subject =
  | { kind: 'value'; device: string; control: string }
  | { kind: 'control-meta'; device: string; control: string; part: string }
  | { kind: 'device-meta'; device: string; part: string };

export interface TopicPattern {
  /** What to subscribe to. */
  readonly filters: readonly string[];
  /** Null for a topic that is none of the pattern's. */
  match(topic: string): Subject | null;
}

/** The convention of Wiren Board, which many others follow. */
export const defaultTopics = '/devices/+/controls/+';

/** Device of a pattern that names only controls. */
const onlyDevice = 'mqtt';

/**
 * Reads `/devices/+/controls/+`: the first `+` is the device, the second the control. With one `+` it is the control, and
 * all belong to one device. Null for any other form.
 */
export function parseTopicPattern(text: string): TopicPattern | null {
  const levels = text.split('/');
  const places = levels.flatMap((level, place) => (level === '+' ? [place] : []));
  const isPlain = levels.every((level) => level === '+' || !/[+#\p{Cc}]/u.test(level));
  if (!isPlain || places.length < 1 || places.length > 2 || text.length > 200) return null;
  const [first = 0, second] = places;
  const devicePlace = second === undefined ? undefined : first;
  const controlPlace = second ?? first;
  const deviceLevels = devicePlace === undefined ? undefined : levels.slice(0, devicePlace + 1);

  const matches = (topic: readonly string[], pattern: readonly string[]) =>
    topic.length >= pattern.length &&
    pattern.every((level, place) => level === '+' || level === topic[place]);
  const isId = (id: string | undefined) =>
    id !== undefined && id.length > 0 && id.length <= telemetryLimits.idLength;

  return {
    filters: [
      text,
      `${text}/meta`,
      `${text}/meta/+`,
      ...(deviceLevels ? [`${deviceLevels.join('/')}/meta`, `${deviceLevels.join('/')}/meta/+`] : []),
    ],
    match(topic) {
      const parts = topic.split('/');
      const device = devicePlace === undefined ? onlyDevice : (parts[devicePlace] ?? '');
      const control = parts[controlPlace] ?? '';
      if (matches(parts, levels) && isId(device) && isId(control)) {
        const [meta, part = '', ...more] = parts.slice(levels.length);
        if (meta === undefined) return { kind: 'value', device, control };
        if (meta === 'meta' && more.length === 0) return { kind: 'control-meta', device, control, part };
      }
      if (deviceLevels && matches(parts, deviceLevels) && isId(device)) {
        const [meta, part = '', ...more] = parts.slice(deviceLevels.length);
        if (meta === 'meta' && more.length === 0) return { kind: 'device-meta', device, part };
      }
      return null;
    },
  };
}
