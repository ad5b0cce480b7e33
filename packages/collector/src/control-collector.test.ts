import { TelemetryDecoder, type TelemetryEntry, telemetryLimits } from '@pult/link';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ControlCollector, createControlCollector } from './control-collector.ts';
import { TelemetryLog } from './telemetry-log.ts';
import { defaultTopics, parseTopicPattern, type TopicPattern } from './topic-pattern.ts';

let log: TelemetryLog;
let now: number;
let printed: string[];

function parsePattern(text: string): TopicPattern {
  const pattern = parseTopicPattern(text);
  if (!pattern) throw new Error(`no pattern: ${text}`);
  return pattern;
}

function createCollector(pattern = defaultTopics): ControlCollector {
  return createControlCollector({
    log,
    pattern: parsePattern(pattern),
    ownDevice: 'pult-agent',
    print: (line) => printed.push(line),
    now: () => now,
  });
}

let collector: ControlCollector;
beforeEach(() => {
  log = new TelemetryLog();
  now = 0;
  printed = [];
  collector = createCollector();
});

const say = (topic: string, payload: string | Buffer, isRetained = false) =>
  collector.take(topic, Buffer.from(payload), isRetained);

/** What would be told now, as the server takes it. */
async function readReported(): Promise<TelemetryEntry[]> {
  const left = new AbortController();
  const decoder = new TelemetryDecoder();
  const entries: TelemetryEntry[] = [];
  for await (const bytes of log.read({ streamId: null, offset: 0 }, left.signal)) {
    for (const part of decoder.decode(bytes)) {
      if ('greeting' in part) continue;
      expect(part.badEntries).toBe(0);
      entries.push(...part.entries);
    }
    // What is not told by then would have to wait.
    setImmediate(() => setImmediate(() => left.abort()));
  }
  return entries;
}

test('values, titles and descriptions of the Wiren Board convention, old and new', async () => {
  say('/devices/wb-adc/meta/name', 'ADC');
  say('/devices/wb-adc/controls/Vin', '24.1');
  say('/devices/wb-adc/controls/Vin/meta/type', 'voltage');
  say('/devices/wb-adc/controls/Vin/meta/order', '3');
  say('/devices/wb-adc/controls/Vin/meta/readonly', '1');
  const meta = { type: 'switch', order: 1, readonly: false, title: { en: 'Relay', ru: 'Реле' } };
  say('/devices/relay/controls/K1/meta', JSON.stringify(meta));
  say('/devices/relay/controls/K1/meta/error', 'rw');
  say('/devices/relay/meta', JSON.stringify({ driver: 'wb-modbus', title: { ru: 'Щит' } }));
  expect(await readReported()).toMatchObject([
    { device: 'wb-adc', title: { en: 'ADC', ru: null } },
    { device: 'wb-adc', control: 'Vin', value: '24.1' },
    { device: 'wb-adc', control: 'Vin', meta: { type: 'voltage', order: 3, readonly: true, error: null } },
    {
      device: 'relay',
      control: 'K1',
      meta: { type: 'switch', order: 1, readonly: false, error: 'rw', title: { en: 'Relay', ru: 'Реле' } },
    },
    { device: 'relay', title: { en: null, ru: 'Щит' } },
  ]);
});

test('other topics, commands and the agent’s own device are nobody’s telemetry', async () => {
  say('/devices/a/controls/b/on', '1');
  say('/devices/a/controls', '1');
  say('/devices//controls/b', '1');
  say('/devices/a/controls/b/meta/x/y', '1');
  say('/devices/pult-agent/controls/activation_link', 'https://secret');
  say('/other', '1');
  expect(log.size).toBe(0);
});

test('a pattern of one’s own, with devices or without', async () => {
  collector = createCollector('home/+/sensors/+');
  say('home/kitchen/sensors/temperature', '21');
  say('/devices/a/controls/b', '1');
  collector = createCollector('plant/+');
  say('plant/level', '5');
  say('plant/level/meta/units', 'm');
  expect(await readReported()).toMatchObject([
    { device: 'kitchen', control: 'temperature', value: '21' },
    { device: 'mqtt', control: 'level', value: '5' },
    { device: 'mqtt', control: 'level', meta: { units: 'm' } },
  ]);
});

test.each(['', '/a/b', '#', '/a/+/#', '+/+/+', '/a/+b', '/a/\u0007/+'])('%j is no pattern', (text) => {
  expect(parseTopicPattern(text)).toBeNull();
});

describe('whatever a payload holds, it is told as a short text that does no harm', () => {
  test.each([
    ['HTML stays as it is', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['numbers stay as they are written', '1e5', '1e5'],
    ['invalid UTF-8', Buffer.from([0x41, 0xff, 0xc3, 0x42]), 'A\ufffd\ufffdB'],
    ['NUL and control characters', 'a\u0000b\u001b[2Jc', 'a\ufffdb\ufffd[2Jc'],
    ['ends of lines', 'a\r\nb\tc', 'a  b c'],
    ['a change of direction', '\u202eexe.pdf', '\ufffdexe.pdf'],
    ['a mark of direction', 'a\u200fb', 'a\ufffdb'],
  ])('%s', async (_, payload, value) => {
    say('/devices/d/controls/c', payload);
    expect(await readReported()).toMatchObject([{ value }]);
  });

  test('a megabyte', async () => {
    say('/devices/d/controls/c', Buffer.alloc(1 << 20, 'я'));
    const [entry] = await readReported();
    const value = entry && 'value' in entry ? entry.value : '';
    expect(value).toBe(`${'я'.repeat(telemetryLimits.valueLength - 1)}…`);
  });

  test('emoji at the very place of the cut', async () => {
    say('/devices/d/controls/c', `${'x'.repeat(telemetryLimits.valueLength - 2)}🚰🚰`);
    const [entry] = await readReported();
    expect(entry).toMatchObject({ value: `${'x'.repeat(telemetryLimits.valueLength - 2)}…` });
  });

  test('anything at all is a line that the server takes', async () => {
    const segment = fc.oneof(
      fc.constantFrom('devices', 'controls', 'meta', 'name', 'type', 'd'),
      fc.string(),
    );
    const topic = fc.oneof(
      fc.array(segment, { maxLength: 7 }).map((levels) => `/${levels.join('/')}`),
      fc.tuple(fc.string(), fc.string()).map(([device, control]) => `/devices/${device}/controls/${control}`),
      fc.constantFrom('/devices/d/controls/c/meta', '/devices/d/meta', '/devices/d/controls/c/meta/order'),
    );
    const payload = fc.oneof(
      fc.uint8Array({ maxLength: 3000 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(text)),
      fc
        .record({
          title: fc.jsonValue(),
          type: fc.jsonValue(),
          order: fc.jsonValue(),
          readonly: fc.jsonValue(),
        })
        .map((meta) => Buffer.from(JSON.stringify(meta))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(topic, payload), { maxLength: 20 }), async (messages) => {
        log = new TelemetryLog();
        collector = createCollector();
        for (const [each, bytes] of messages) collector.take(each, bytes, false);
        await readReported();
      }),
    );
  });
});

test('controls past the limit are left out, and that is printed once', () => {
  for (let count = 0; count < telemetryLimits.controls + 500; count++)
    say(`/devices/d/controls/${count}`, '1');
  expect(collector.size).toBe(telemetryLimits.controls);
  expect(printed).toHaveLength(1);
});

test('long texts of ten thousand controls stay within bounds', () => {
  log = new TelemetryLog({ maxLength: 100_000 });
  collector = createCollector();
  let length = 0;
  const put = log.put.bind(log);
  log.put = (subject, fields) => {
    length += JSON.stringify(fields).length;
    put(subject, fields);
  };
  for (let count = 0; count < 2000; count++) say(`/devices/d/controls/${count}`, 'x'.repeat(100_000));
  expect(length).toBeLessThan(100_000 + 1200 + 2000 * 120);
});

test('a value that repeats is told again only after a while, and not for a reconnection', async () => {
  say('/devices/d/controls/c', '1');
  const first = await readReported();
  now += 1_000;
  say('/devices/d/controls/c', '1');
  expect((await readReported())[0]?.offset).toBe(first[0]?.offset);
  now += 60_000;
  say('/devices/d/controls/c', '1', true);
  expect((await readReported())[0]?.offset).toBe(first[0]?.offset);
  say('/devices/d/controls/c', '1');
  expect((await readReported())[0]?.offset).not.toBe(first[0]?.offset);
});

test('a control whose topics were emptied is gone; one that comes and goes for ever takes no room', async () => {
  say('/devices/d/controls/c', '1');
  say('/devices/d/controls/c/meta/type', 'text');
  say('/devices/d/controls/c', '');
  say('/devices/d/controls/c/meta/type', '');
  expect(await readReported()).toMatchObject([{ device: 'd', control: 'c', gone: true }]);
  for (let count = 0; count < 5000; count++) {
    say(`/devices/d/controls/${count}`, '1');
    say(`/devices/d/controls/${count}`, '');
  }
  expect(collector.size).toBe(0);
  expect(log.size).toBeLessThanOrEqual(1000);
});
