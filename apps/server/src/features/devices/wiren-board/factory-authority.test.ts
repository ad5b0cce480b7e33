import { X509Certificate } from 'node:crypto';
import { expect, it } from 'vitest';
import { createDeviceAuthority } from './device-authority.ts';
import { factoryAuthority } from './factory-authority.ts';

it('the built-in root is the factory’s, whole and signed by itself', () => {
  const root = new X509Certificate(factoryAuthority);
  expect(root.subject).toContain('CN=Contactless Devices LLC Root Certificate');
  expect([root.ca, root.checkIssued(root), root.verify(root.publicKey)]).toEqual([true, true, true]);
});

it('a root proves no controller, and a file without a certificate is an error', () => {
  const clock = { now: () => new Date() };
  expect(
    createDeviceAuthority(factoryAuthority, clock).verify(new X509Certificate(factoryAuthority)),
  ).toBeUndefined();
  expect(() => createDeviceAuthority('nothing', clock)).toThrow('WB_DEVICE_CA');
});
