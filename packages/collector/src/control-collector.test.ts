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

describe('the meta object of a control is all that it says', () => {
  const topic = '/devices/d/controls/c/meta';
  const readTold = async () => {
    const told = (await readReported()).find((entry) => 'meta' in entry || 'gone' in entry);
    return told && 'meta' in told ? told.meta : told;
  };
  const empty = {
    title: { en: null, ru: null },
    type: null,
    units: null,
    order: null,
    readonly: null,
    error: null,
  };
  const full = {
    title: { en: 'Valve', ru: 'Клапан' },
    type: 'value',
    units: 'V',
    order: 7,
    readonly: true,
    error: 'r',
    enum: { 0: { en: 'Closed', ru: 'Закрыт' }, 1: { en: 'Open', ru: 'Открыт' } },
  };

  test('the meta object of a control takes back what it does not say any more', async () => {
    say(topic, JSON.stringify(full));
    expect(await readTold()).toEqual(full);
    say(topic, '{"type":"value"}');
    expect(await readTold()).toEqual({ ...empty, type: 'value' });
  });

  test.each([
    ['units', 'V', { type: 'value' }, { type: 'value', units: 'V' }],
    ['error', 'r', { type: 'value' }, { type: 'value', error: 'r' }],
    ['error', 'w', { error: 'r' }, { error: 'r' }],
    ['name', 'Valve', { title: { ru: 'Клапан' } }, { title: { en: 'Valve', ru: 'Клапан' } }],
    ['name', 'K1', { title: { en: 'Valve' } }, { title: { en: 'Valve', ru: null } }],
    ['readonly', '1', { readonly: false }, { readonly: false }],
    ['order', '3', { type: 'value' }, { type: 'value', order: 3 }],
  ])(
    'the topic %s = %s beside a meta object counts where that is silent, in either order',
    async (part, text, object, shown) => {
      const messages = [() => say(`${topic}/${part}`, text), () => say(topic, JSON.stringify(object))];
      for (const order of [messages, messages.toReversed()]) {
        log = new TelemetryLog();
        collector = createCollector();
        for (const send of order) send();
        expect(await readTold()).toEqual({ ...empty, ...shown });
      }
    },
  );

  test('what a topic beside a meta object says is shown once that falls silent, and gone once both do', async () => {
    say(topic, '{"units":"V","title":"Valve"}');
    say(`${topic}/units`, 'mV');
    say(`${topic}/name`, 'Valve');
    expect(await readTold()).toMatchObject({ units: 'V' });
    say(topic, '{}');
    expect(await readTold()).toEqual({ ...empty, title: { en: 'Valve', ru: null }, units: 'mV' });
    say(`${topic}/units`, '');
    say(topic, '');
    expect(await readTold()).toEqual({ ...empty, title: { en: 'Valve', ru: null } });
    say(`${topic}/name`, '');
    expect(await readTold()).toEqual(expect.objectContaining({ control: 'c', gone: true }));
  });

  test.each(['{"units":', '[]', '"V"', 'null', '\u0000'])(
    'a payload that is no meta object (%s) changes nothing',
    async (text) => {
      say(topic, JSON.stringify(full));
      say(topic, text);
      expect(await readTold()).toEqual(full);
    },
  );

  test.each([
    [{ readonly: 1 }, { readonly: true }],
    [{ readonly: '1' }, { readonly: true }],
    [{ readonly: 'true' }, { readonly: true }],
    [{ readonly: 0 }, { readonly: false }],
    [{ readonly: '0' }, { readonly: false }],
    [{ readonly: 'perhaps', type: 'value' }, { type: 'value' }],
    [{ order: '7' }, { order: 7 }],
    [{ order: ' 7 ' }, { order: 7 }],
    [{ order: '', type: 'value' }, { type: 'value' }],
    [{ order: '7.5', type: 'value' }, { type: 'value' }],
    [
      { enum: { 0: 'Closed', 1: { ru: 'Открыт' }, 2: 5 } },
      { enum: { 0: { en: 'Closed', ru: null }, 1: { en: null, ru: 'Открыт' } } },
    ],
    [{ enum: ['Closed', 'Open'] }, { enum: { 0: { en: 'Closed', ru: null }, 1: { en: 'Open', ru: null } } }],
    [{ enum: {}, type: 'value' }, { type: 'value' }],
  ])('the meta object %j is read as drivers mean it', async (object, shown) => {
    say(topic, JSON.stringify(object));
    expect(await readTold()).toEqual({ ...empty, ...shown });
  });

  test('a meta object may begin with a byte order mark, as the topics beside it may', async () => {
    say(topic, `\ufeff${JSON.stringify(full)}`);
    expect(await readTold()).toEqual(full);
    say(topic, '');
    say(`${topic}/order`, '\ufeff7');
    expect(await readTold()).toEqual({ ...empty, order: 7 });
  });

  test('more titles of values than a meta object has room for are left out', async () => {
    const titles = Object.fromEntries(
      Array.from({ length: 200 }, (_, value) => [value, `Position ${value}`]),
    );
    say(topic, JSON.stringify({ enum: titles }));
    const told = await readTold();
    const values = Object.keys((told && 'enum' in told && told.enum) || {});
    expect(values.length).toBeGreaterThan(50);
    expect(values).toEqual(Array.from(values.keys(), String));
  });
});

test('a device is called what its meta object says, or else by the topic beside it, in either order', async () => {
  say('/devices/d/meta/name', 'Shield');
  say('/devices/d/meta', '{"driver":"wb-modbus","title":{"ru":"Щит"}}');
  expect(await readReported()).toMatchObject([{ device: 'd', title: { en: 'Shield', ru: 'Щит' } }]);
  say('/devices/d/meta', '{"driver":"wb-modbus"}');
  expect(await readReported()).toMatchObject([{ device: 'd', title: { en: 'Shield', ru: null } }]);
  say('/devices/d/meta/name', '');
  expect(await readReported()).toMatchObject([{ device: 'd', title: { en: null, ru: null } }]);
  say('/devices/nameless/meta', '{"driver":"wb-modbus"}');
  expect(await readReported()).toHaveLength(1);
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
          enum: fc.jsonValue(),
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
