import { dialAsDevice, type ListeningServer, linkTestDevice } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLinkFixture, type LinkFixture, readRefusal } from './link.fixture.ts';

let fixture: LinkFixture;
let server: ListeningServer;

beforeAll(async () => {
  fixture = await createLinkFixture();
  ({ server } = fixture);
});
afterAll(() => server.close());

describe('a linked device', () => {
  it('a linked device is told of its activation at once, and of its deletion with a new link', async () => {
    const { device, token } = await fixture.enrol('STATE-1');
    const { link, states } = await linkTestDevice(server, device);
    await expect.poll(() => states.length).toBe(1);
    await fixture.claim(token);
    await expect.poll(() => states.at(-1)).toMatchObject({ activated: true, activationLink: null });
    await server.call('deleteController', { as: fixture.owner, params: { serialNumber: 'STATE-1' } });
    await expect.poll(() => states.at(-1)).toMatchObject({ activated: false });
    const next = new URL(states.at(-1)?.activationLink ?? '').searchParams.get('token');
    expect(next).not.toBe(token);
    expect((await fixture.claim(next ?? '')).status).toBe(200);
    link.close();
  });

  it('hears its states in their order, however slowly it takes them', async () => {
    const { device, token } = await fixture.enrol('STATE-2');
    const heard: boolean[] = [];
    let busy = 0;
    const { link } = await linkTestDevice(server, device, {
      handlers: {
        async putState({ activated }) {
          busy += 1;
          expect(busy).toBe(1);
          await new Promise((resolve) => setTimeout(resolve, 20));
          busy -= 1;
          heard.push(activated);
        },
      },
    });
    await fixture.claim(token);
    await server.call('deleteController', { as: fixture.owner, params: { serialNumber: 'STATE-2' } });
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(3);
    expect(heard.at(-1)).toBe(false);
    link.close();
  });

  it('shows its model and versions on its controller', async () => {
    const { device, token } = await fixture.enrol('INFO-1');
    await fixture.claim(token);
    const info = { model: 'WB 8.5', firmwareVersion: 'wb-2507', agentVersion: '1.2.3' };
    const { link } = await linkTestDevice(server, device, { info });
    await expect.poll(() => fixture.getController('INFO-1')).toMatchObject(info);
    link.close();
  });

  it('a linked device may say markup, which stays text', async () => {
    const { device, token } = await fixture.enrol('INFO-2');
    await fixture.claim(token);
    const model = '<img src=x onerror=alert(1)> %s{{7*7}}\'";--';
    const { link } = await linkTestDevice(server, device, { info: { model } });
    await expect.poll(() => fixture.getController('INFO-2')).toMatchObject({ model });
    link.close();
  });

  it.each<[string, Record<string, unknown>]>([
    ['control characters', { model: 'a\u0000b' }],
    ['a line feed', { firmwareVersion: 'a\nb' }],
    ['an escape sequence', { agentVersion: '\u001b[2J' }],
    ['a change of direction', { kernelVersion: 'live\u202eevil' }],
    ['too much', { model: 'x'.repeat(129) }],
    ['another type', { model: ['x'] }],
    ['megabytes', { model: 'x'.repeat(4 << 20) }],
  ])('a linked device that says %s of itself is cut, and nothing of it is kept', async (_, info) => {
    const serialNumber = `INFO-X${Object.values(info).join().length}-${Object.keys(info)[0]?.toUpperCase().slice(0, 5)}`;
    const { device, token } = await fixture.enrol(serialNumber);
    await fixture.claim(token);
    const { link } = await linkTestDevice(server, device, { info });
    await link.closed;
    expect(await fixture.getController(serialNumber)).toMatchObject({
      model: 'Test board',
      firmwareVersion: '1.0.0',
      agentVersion: '0.0.0',
    });
  });

  it('a linked device whose enrolment another’s claim has dropped loses its link', async () => {
    const { device: impostor } = await fixture.enrol('DROP-1');
    const { token } = await fixture.enrol('DROP-1');
    const { link } = await linkTestDevice(server, impostor);
    await fixture.claim(token);
    expect(await link.closed).toBe('revoked');
    expect(await readRefusal(dialAsDevice(server, impostor))).toMatchObject({ status: 401 });
  });

  it('a linked device that never answers stays linked, and hinders nobody', async () => {
    const { device } = await fixture.enrol('MUTE-1');
    const { link } = await linkTestDevice(server, device, {
      handlers: { putState: () => new Promise(() => {}) },
    });
    const { device: other } = await fixture.enrol('MUTE-2');
    const { states, link: otherLink } = await linkTestDevice(server, other);
    await expect.poll(() => states.length).toBe(1);
    link.close();
    otherLink.close();
  });
});
