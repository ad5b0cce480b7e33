import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeCertificate, makeTempDir } from '@pult/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

// A proxy that the server trusts passes on what strangers send: every call here comes from its address.

let fixture: WirenBoardFixture;
beforeAll(async () => {
  fixture = await createWirenBoardFixture({ isTls: false });
});
afterAll(() => fixture.close());

/** What a stranger sends who has read a description of the headers. */
const forged = (leaf: string) => ({
  'x-ssl-client-verify': 'SUCCESS',
  'x-ssl-client-cert': encodeURIComponent(leaf),
});

describe('a certificate that a stranger sends through a trusted proxy', () => {
  it('the public certificate of a claimed controller opens no call of it', async () => {
    const device = await fixture.addDevice('CLAIMED1');
    const { leaf } = device.certificate;
    for (const call of ['agent-start-up/', 'events/']) {
      const answer = await device.call('GET', call, { certificate: null, headers: forged(leaf) });
      expect(answer).toMatchObject({ status: 401, body: { code: 'certificate_header_refused' } });
    }
  });

  it('a certificate that the stranger has signed enrols no controller', async () => {
    const device = await fixture.createDevice('STRANGER');
    await using folder = await makeTempDir('stranger');
    const [keyPath, certPath] = [join(folder.path, 'key.pem'), join(folder.path, 'leaf.pem')];
    await makeCertificate({ subject: '/CN=wirenboard-STRANGER', keyPath, certPath });
    const headers = forged(await readFile(certPath, 'utf8'));
    const answer = await device.call('GET', 'agent-start-up/', { certificate: null, headers });
    expect(answer).toMatchObject({ status: 401, body: { code: 'certificate_header_refused' } });
    const enrolled = fixture.server.db
      .selectFrom('enrolments')
      .selectAll()
      .where('serial_number', '=', 'STRANGER');
    expect(await enrolled.execute()).toEqual([]);
  });
});

describe('a connection that a trusted proxy passes through, so that TLS ends at the server', () => {
  let passed: WirenBoardFixture;
  beforeAll(async () => {
    passed = await createWirenBoardFixture({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  });
  afterAll(() => passed.close());

  it('a header proves nothing there, as it is the client’s own', async () => {
    const device = await passed.createDevice('PASSED1');
    const headers = forged(device.certificate.leaf);
    const answer = await device.call('GET', 'agent-start-up/', { certificate: null, headers });
    expect(answer).toMatchObject({ status: 401, body: { code: 'device_signature_invalid' } });
  });

  it('the address that a controller says of itself is not written down', async () => {
    const device = await passed.createDevice('PASSED2');
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    expect((await device.call('GET', 'agent-start-up/', { headers })).status).toBe(200);
    const enrolment = await passed.server.db
      .selectFrom('enrolments')
      .select('network')
      .where('serial_number', '=', 'PASSED2')
      .executeTakeFirstOrThrow();
    expect(enrolment.network).toContain('127.0.0');
  });
});
