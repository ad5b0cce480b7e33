import { expect, test } from 'vitest';
import {
  createDeviceKey,
  exportDeviceKey,
  getPublicKey,
  importDeviceKey,
  keyFingerprint,
  keyId,
} from './device-key.ts';
import { signEnrolment, signLink, verifyEnrolment, verifyLink } from './signature.ts';

const key = createDeviceKey();
const publicKey = getPublicKey(key);
const claim = { audience: 'https://cloud.test', serialNumber: 'A1B2C3D4', nonce: 'n'.repeat(22) };
const body = '{"serialNumber":"A1B2C3D4"}';

test('a right signature is accepted, for its purpose only', () => {
  const link = signLink(key, claim);
  expect(verifyLink(publicKey, claim, link)).toBe(true);
  expect(verifyEnrolment(publicKey, { ...claim, body: '' }, link)).toBe(false);
  const enrolment = signEnrolment(key, { ...claim, body });
  expect(verifyEnrolment(publicKey, { ...claim, body: Buffer.from(body) }, enrolment)).toBe(true);
  expect(verifyLink(publicKey, claim, enrolment)).toBe(false);
});

test.each([
  ['audience', { audience: 'https://evil.test' }],
  ['serial', { serialNumber: 'A1B2C3D5' }],
  ['nonce', { nonce: 'm'.repeat(22) }],
])('a signature for another %s is refused', (_what, change) => {
  expect(verifyLink(publicKey, { ...claim, ...change }, signLink(key, claim))).toBe(false);
  const enrolment = signEnrolment(key, { ...claim, body });
  expect(verifyEnrolment(publicKey, { ...claim, ...change, body }, enrolment)).toBe(false);
});

test('moving a character between fields changes the message', () => {
  const signature = signLink(key, { ...claim, serialNumber: 'AB', nonce: 'C' });
  expect(verifyLink(publicKey, { ...claim, serialNumber: 'A', nonce: 'BC' }, signature)).toBe(false);
});

test('a changed body, another key and broken bytes are refused without a throw', () => {
  const enrolment = signEnrolment(key, { ...claim, body });
  expect(verifyEnrolment(publicKey, { ...claim, body: `${body} ` }, enrolment)).toBe(false);
  const link = signLink(key, claim);
  expect(verifyLink(getPublicKey(createDeviceKey()), claim, link)).toBe(false);
  expect(verifyLink(Buffer.alloc(32, 0xff), claim, link)).toBe(false);
  expect(verifyLink(Buffer.alloc(5), claim, link)).toBe(false);
  expect(verifyLink(publicKey, claim, link.subarray(1))).toBe(false);
  expect(verifyLink(publicKey, claim, Buffer.alloc(64))).toBe(false);
});

test('a key survives its file and has a stable name', () => {
  expect(getPublicKey(importDeviceKey(exportDeviceKey(key)))).toEqual(publicKey);
  expect(keyId(Buffer.alloc(32))).toBe('Zmh6rfhivXdsj8GLjp-OIAiXFIVu4jOzkCpZHQ1fKSU');
  expect(keyFingerprint(Buffer.alloc(32))).toBe('SHA256:Zmh6rfhivXdsj8GLjp+OIAiXFIVu4jOzkCpZHQ1fKSU');
  expect(() => importDeviceKey('no key')).toThrow();
});
