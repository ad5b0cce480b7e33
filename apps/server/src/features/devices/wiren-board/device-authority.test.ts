import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { makeDeviceCertificates, makeTempDir } from '@pult/testkit';
import { expect, it } from 'vitest';
import { createDeviceAuthority } from './device-authority.ts';

const day = 24 * 3600_000;

it('a certificate counts from a day before it begins, for clocks that are slow, until it ends', async () => {
  await using folder = await makeTempDir('authority');
  const certificates = await makeDeviceCertificates(folder.path);
  const { leaf } = await certificates.issue('A25NDEMJ');
  const root = await readFile(certificates.rootPath, 'utf8');
  const certificate = new X509Certificate(leaf);
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  let time = from;
  // As a proxy that holds the issuer's certificate hands on the leaf alone: the issuer stands in the place of the root here.
  const issuer = await readFile(certificates.rootPath.replace('root.pem', 'issuer.pem'), 'utf8');
  const authority = createDeviceAuthority(`${root}\n${issuer}`, { now: () => new Date(time) });
  const isKnownAt = (moment: number) => {
    time = moment;
    return authority.verify(certificate) !== undefined;
  };
  expect(
    [from - day - 60_000, from - day + 60_000, from + 1000, to - 1000, to + 60_000].map(isKnownAt),
  ).toEqual([false, true, true, true, false]);
});
