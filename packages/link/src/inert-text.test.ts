import { expect, it } from 'vitest';
import { isInert, makeInert } from './inert-text.ts';
import { deviceInfoSchema, enrolRequestSchema } from './messages.ts';
import { telemetryEntrySchema } from './telemetry/entries.ts';

const info = {
  serialNumber: 'SN-1',
  model: 'Board',
  firmwareVersion: '1',
  agentVersion: '1',
  kernelVersion: '1',
  addresses: ['192.0.2.1'],
  uptimeSeconds: 1,
  update: { id: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', outcome: 'returned', reason: 'no link' },
};
const { serialNumber, model, firmwareVersion, agentVersion } = info;
const enrolment = { serialNumber, model, firmwareVersion, agentVersion, publicKey: 'A'.repeat(43) };
const title = { en: 'Boiler', ru: null };
const meta = { title, type: 'text', units: 'm', order: null, readonly: null, error: null };
const place = { offset: 1, age: 0, device: 'boiler', control: 'text' };

/** By their code points: a title with the characters themselves would be turned. */
const turning = [
  ...[0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
  ...[0x2028, 0x2029, 0x0007, 0xd800],
].map((code) => ({ name: `U+${code.toString(16).padStart(4, '0')}`, character: String.fromCharCode(code) }));

it.each(turning)('$name is refused in all that a device says of itself', ({ character }) => {
  const text = `live${character}evil`;
  expect(deviceInfoSchema.safeParse(info).success).toBe(true);
  for (const field of ['model', 'firmwareVersion', 'agentVersion', 'kernelVersion'] as const) {
    expect(deviceInfoSchema.safeParse({ ...info, [field]: text }).success).toBe(false);
  }
  expect(deviceInfoSchema.safeParse({ ...info, addresses: [text] }).success).toBe(false);
  expect(deviceInfoSchema.safeParse({ ...info, update: { ...info.update, reason: text } }).success).toBe(
    false,
  );
  expect(enrolRequestSchema.safeParse(enrolment).success).toBe(true);
  for (const field of ['model', 'firmwareVersion', 'agentVersion'] as const) {
    expect(enrolRequestSchema.safeParse({ ...enrolment, [field]: text }).success).toBe(false);
  }
  for (const entry of [
    { ...place, value: text },
    { ...place, control: text, value: '1' },
    { ...place, device: text, title },
    { ...place, meta: { ...meta, units: text } },
    { ...place, meta: { ...meta, title: { en: null, ru: text } } },
  ]) {
    expect(telemetryEntrySchema.safeParse(entry).success).toBe(false);
  }
});

it('a text of any language is let through, and what it may not have gets a mark', () => {
  for (const text of ['Котельная № 1', 'غرفة المرجل', 'חדר', '日本語 👩‍🔧', '<b>100 %</b>']) {
    expect([isInert(text), makeInert(text, '?')]).toEqual([true, text]);
  }
  expect(makeInert('live\u202eevil\u0000', '?')).toBe('live?evil?');
});
