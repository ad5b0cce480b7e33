import { once } from 'node:events';
import {
  type AuditEvent,
  type CreatedGuestLink,
  type GuestAnswer,
  type GuestLink,
  guestTerminalPath,
  lifetimes,
  limits,
} from '@pult/contract';
import { HttpClient, startStopwatch } from '@pult/testkit';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { bearer } from '../../accounts/tokens/tokens.fixture.ts';
import { type SshDevice, startSshDevice } from '../ssh/ssh-device.fixture.ts';
import { password, Terminal } from '../ssh/terminal.fixture.ts';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from '../tunnel.fixture.ts';

/** Guests, from the link to what they have open, with the timing of a real server. */

let t: TunnelFixture;
let device: ClaimedDevice;
let other: ClaimedDevice;
let web: WebUpstream;
let ssh: SshDevice;
/** Into the shells of the device. */
let typed = '';
let admin: TestUser;
/** Whose rights links of a test rest on. */
let maker: TestUser;

beforeAll(async () => {
  web = await startUpstream((_, response) => response.end('page'));
  ssh = await startSshDevice({
    onShell: (channel) =>
      channel.on('data', (data: Buffer) => {
        typed += String(data);
      }),
  });
  t = await createTunnelFixture({ timing: { tunnelCheckMs: undefined } });
  const endpoints = { http: web.port, ssh: ssh.port, 'port-8080': web.port };
  device = await t.addDevice('GUEST-1', { endpoints });
  other = await t.addDevice('GUEST-2', { endpoints });
  admin = await t.addUser('admin');
});
afterAll(async () => {
  await t.close();
  web.close();
  await ssh.close();
});
beforeEach(async () => {
  await t.server.db
    .updateTable('organizations')
    .set({ totp_required: false, guests_allowed: true })
    .execute();
  maker = await t.addUser('admin');
  await t.server.db.deleteFrom('rate_limits').execute();
  // So that no test is held back by what others have tried.
  t.server.clock.advance(15_000);
});

const call: TunnelFixture['server']['call'] = (name, options) => t.server.call(name, options);
const params = { serialNumber: 'GUEST-1' };
const after = (seconds: number) => new Date(t.server.clock.now().getTime() + seconds * 1000).toISOString();
const atOrganization = () => ({ organizationId: t.organization });

async function share(body: object = {}, as = maker): Promise<CreatedGuestLink> {
  const link = { service: 'http', name: 'Ivan of the fitters', expiresAt: after(3600), uses: 50, ...body };
  const answer = await call('createGuestLink', { as, params, body: link });
  if (answer.status !== 201) throw new Error(`createGuestLink answered ${JSON.stringify(answer.body)}`);
  return answer.body as CreatedGuestLink;
}
const tokenOf = ({ url }: CreatedGuestLink) => new URL(url).hash.slice(1);
const enter = (link: CreatedGuestLink, pin = link.pin) =>
  call('enterAsGuest', { body: { token: tokenOf(link), pin } });
const wrongPin = ({ pin }: CreatedGuestLink) =>
  pin.replace(/./g, (digit) => String((Number(digit) + 1) % 10));
const invalid = { status: 404, body: { code: 'guest_link_invalid' } };

async function openWeb(link: CreatedGuestLink): Promise<HttpClient> {
  const { body } = await enter(link);
  const browser = new HttpClient();
  const answer = await browser.request((body as { url: string }).url);
  answer.body.resume();
  expect(answer.status).toBe(303);
  return browser;
}

/** As the browser of a guest does: with the cookie that came with the answer. */
async function connectTerminal(link: CreatedGuestLink, changes: Record<string, string> = {}) {
  const answer = await enter(link);
  const entered = answer.body as Extract<GuestAnswer, { kind: 'terminal' }>;
  const [setCookie] = [answer.headers['set-cookie']].flat();
  const { publicUrl: origin, port } = t.server;
  const cookie = String(setCookie).split(';')[0] ?? '';
  const { host } = new URL(origin);
  const address = `ws://127.0.0.1:${port}${guestTerminalPath}?guest=${changes.guest ?? entered.guestId}`;
  const headers = { host, cookie: changes.cookie ?? cookie, origin: changes.origin ?? origin };
  const socket = new WebSocket(address, { headers });
  const outcome = await Promise.race([
    once(socket, 'open').then(() => 101),
    once(socket, 'unexpected-response').then(([, response]) => response.statusCode as number),
  ]);
  return { entered, setCookie: String(setCookie), cookie, socket, status: outcome };
}

async function askKey(guestId: string, cookie: string): Promise<string> {
  const headers = { cookie, origin: t.server.publicUrl };
  const { body } = await call('openGuestTunnel', { headers, body: { guestId } });
  return (body as { tunnelKey: string }).tunnelKey;
}

async function openTerminal(link: CreatedGuestLink): Promise<Terminal> {
  const { entered, socket, cookie, status } = await connectTerminal(link);
  expect(status).toBe(101);
  const terminal = new Terminal(socket);
  const size = { columns: 80, rows: 24 };
  const tunnelKey = await askKey(entered.guestId, cookie);
  terminal.send({ type: 'start', tunnelKey, username: 'root', credential: password('right'), ...size });
  expect(await terminal.next()).toMatchObject({ type: 'ready' });
  return terminal;
}

const listEvents = async (action: string) => {
  const query = { action };
  const { body } = await call('listAuditEvents', { as: t.owner, params: atOrganization(), query });
  return (body as { results: AuditEvent[] }).results;
};

describe('a guest’s link', () => {
  it('a guest’s link is shown once with its PIN, and the list has neither', async () => {
    const link = await share({ name: 'Maria', uses: 2 });
    expect(link.url).toMatch(new RegExp(`^${t.server.publicUrl}/guest/#[\\w-]{43}$`));
    expect(link.pin).toMatch(/^\d{8}$/);
    const { url: _, pin: __, ...shown } = link;
    const { body } = await call('listGuestLinks', { as: admin, params });
    expect((body as GuestLink[]).find(({ id }) => id === link.id)).toEqual(shown);
    expect(shown).toMatchObject({ service: 'http', name: 'Maria', uses: 2, used: 0, createdBy: maker.email });
    const row = await t.server.db.selectFrom('guest_links').selectAll().where('id', '=', link.id).execute();
    expect(JSON.stringify(row)).not.toContain(link.pin);
    expect(JSON.stringify(row)).not.toContain(tokenOf(link));
  });

  it.each<[string, object, string]>([
    ['longer than a week', { expiresAt: () => after(7 * 24 * 3600 + 60) }, 'expiresAt'],
    ['that is over', { expiresAt: () => after(-1) }, 'expiresAt'],
    ['to no service', { service: 9999 }, 'service'],
    ['to look at a web interface only', { isReadOnly: true }, 'isReadOnly'],
    ['of no use', { uses: 0 }, 'uses'],
  ])('a guest’s link %s is a bad request', async (_, changes, field) => {
    const made = Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [name, typeof value === 'function' ? value() : value]),
    );
    const body = { service: 'http', name: 'Ivan', expiresAt: after(60), ...made };
    const answer = await call('createGuestLink', { as: maker, params, body });
    expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, [field]]);
  });

  it('a guest’s link may be good for a week to the second', async () => {
    expect((await share({ expiresAt: after(7 * 24 * 3600) })).id).toBeTruthy();
  });

  it('a guest’s link alone shows nothing: working and dead ones answer by the PIN alone, unknown ones as dead ones', async () => {
    const link = await share();
    const wrong = await enter(link, wrongPin(link));
    expect(wrong).toMatchObject({ status: 403, body: { code: 'guest_pin_wrong' } });
    const said = JSON.stringify([wrong.body, wrong.headers]);
    for (const secret of ['GUEST-1', t.organization, 'Ivan', maker.email]) expect(said).not.toContain(secret);
    const unknown = await call('enterAsGuest', { body: { token: 'A'.repeat(43), pin: link.pin } });
    await call('deleteGuestLink', { as: admin, params: { ...params, linkId: link.id } });
    const dead = await enter(link);
    expect(unknown).toMatchObject(invalid);
    expect(dead.body).toEqual(unknown.body);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  it('five wrong PINs at whatever the same moment end a guest’s link, no more and no fewer', async () => {
    const link = await share();
    const answers = await Promise.all(Array.from({ length: 12 }, () => enter(link, wrongPin(link))));
    const codes = answers.map(({ body }) => (body as { code: string }).code);
    expect(codes.filter((code) => code === 'guest_pin_wrong')).toHaveLength(limits.guestPinAttempts - 1);
    expect(codes.filter((code) => code === 'guest_link_invalid')).toHaveLength(
      12 - limits.guestPinAttempts + 1,
    );
    expect(await enter(link)).toMatchObject(invalid);
    const refusals = (await listEvents('guest_link.refused')).filter(({ user }) => user?.id === link.id);
    expect(refusals.reduce((sum, { count }) => sum + count, 0)).toBe(limits.guestPinAttempts);
    expect(refusals[0]).toMatchObject({ user: { email: 'Ivan of the fitters', kind: 'guest' } });
  });

  it('four wrong PINs leave a guest’s link, and a right one starts no count anew', async () => {
    const link = await share();
    for (let tries = 1; tries < limits.guestPinAttempts; tries += 1) await enter(link, wrongPin(link));
    expect((await enter(link)).status).toBe(200);
    expect(await enter(link, wrongPin(link))).toMatchObject(invalid);
    expect(await enter(link)).toMatchObject(invalid);
  });

  it('a guest’s link is good for its uses, however many come at once', async () => {
    const link = await share({ uses: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => enter(link)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await enter(link)).toMatchObject(invalid);
    const { body } = await call('listGuestLinks', { as: admin, params });
    expect((body as GuestLink[]).find(({ id }) => id === link.id)).toMatchObject({ used: 3 });
  });

  it('a guest’s entry says when it ends, and when its link does', async () => {
    const { body } = await enter(await share({ service: 'ssh', expiresAt: after(24 * 3600) }));
    expect(body).toMatchObject({ expiresAt: after(lifetimes.tunnel), linkExpiresAt: after(24 * 3600) });
  });

  it('a guest’s link spends no use where the controller cannot be reached', async () => {
    const gone = await t.addDevice('GUEST-OFF', {});
    const body = { service: 'ssh', name: 'Late', expiresAt: after(3600), uses: 1 };
    const made = await call('createGuestLink', { as: maker, params: { serialNumber: 'GUEST-OFF' }, body });
    gone.linked.link.close();
    await gone.linked.link.closed;
    const link = made.body as CreatedGuestLink;
    await expect.poll(async () => (await enter(link)).body).toMatchObject({ code: 'controller_offline' });
    const row = t.server.db.selectFrom('guest_links').select('uses').where('id', '=', link.id);
    expect((await row.executeTakeFirst())?.uses).toBe(0);
  });

  it('a guest’s link is not made where guests are off, or where the organization requires a second factor', async () => {
    const setting = (guestsAllowed: boolean) =>
      call('updateOrganization', { as: t.owner, params: atOrganization(), body: { guestsAllowed } });
    expect((await setting(false)).body).toMatchObject({ guestsAllowed: false });
    const body = { service: 'http', name: 'Ivan', expiresAt: after(60) };
    const off = { status: 403, body: { code: 'guests_off' } };
    expect(await call('createGuestLink', { as: maker, params, body })).toMatchObject(off);
    const read = await call('getOrganization', { as: maker, params: atOrganization() });
    expect(read.body).toMatchObject({ guestsAllowed: false });
    expect((await setting(true)).body).toMatchObject({ guestsAllowed: true });
    const link = await share();
    await t.server.db
      .updateTable('organizations')
      .set({ totp_required: true })
      .where('id', '=', t.organization)
      .execute();
    const entered = await enter(link);
    await t.server.db
      .updateTable('organizations')
      .set({ totp_required: false })
      .where('id', '=', t.organization)
      .execute();
    expect(entered).toMatchObject(invalid);
    expect((await enter(link)).status).toBe(200);
  });

  it('a page of another origin does not try PINs through a guest’s browser', async () => {
    const link = await share();
    const headers = { origin: 'http://guest-1.http.localhost:8080' };
    const answer = await call('enterAsGuest', { headers, body: { token: tokenOf(link), pin: link.pin } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'origin_forbidden' } });
  });
});

describe('a guest at a web interface', () => {
  it('a guest reaches the shared web interface and nothing else, by its host’s own cookie', async () => {
    const browser = await openWeb(await share());
    const read = async (origin: string, headers = {}) => {
      const answer = await browser.request(`${origin}/`, { headers });
      answer.body.resume();
      return answer.status;
    };
    expect(await read(device.origin)).toBe(200);
    expect(await read(other.origin)).toBe(401);
    const cookie = browser.cookies.getHeader(device.hostname) ?? '';
    expect(cookie).toMatch(/^pult_tunnel=/);
    expect(await read(other.origin, { cookie })).toBe(401);
    // Neither the named service beside it, nor any call.
    expect(await read(device.origin.replace('guest-1.', 'guest-1--8080.'), { cookie })).toBe(401);
    const value = cookie.split('=')[1] ?? '';
    for (const headers of [{ cookie: `pult_session=${value}` }, bearer({ token: value })]) {
      expect((await call('getCurrentUser', { headers })).status).toBe(401);
    }
    const opened = (await listEvents('tunnel.opened'))[0];
    expect(opened).toMatchObject({
      subject: 'GUEST-1',
      user: { email: 'Ivan of the fitters', kind: 'guest' },
    });
  });

  it.each<[string, (link: CreatedGuestLink) => Promise<unknown>]>([
    [
      'the link is ended',
      ({ id }) => call('deleteGuestLink', { as: admin, params: { ...params, linkId: id } }),
    ],
    [
      'its maker is no admin any more',
      () =>
        call('updateMember', {
          as: t.owner,
          params: { ...atOrganization(), userId: maker.id },
          body: { role: 'member' },
        }),
    ],
    [
      'its maker is removed',
      () => call('removeMember', { as: t.owner, params: { ...atOrganization(), userId: maker.id } }),
    ],
    [
      'guests are turned off',
      () =>
        call('updateOrganization', {
          as: t.owner,
          params: atOrganization(),
          body: { guestsAllowed: false },
        }),
    ],
    ['its time is over, which no event tells', async () => t.server.clock.advance(31_000)],
    [
      'a second factor is required, which another server has written',
      () =>
        t.server.db
          .updateTable('organizations')
          .set({ totp_required: true })
          .where('id', '=', t.organization)
          .execute(),
    ],
  ])('a guest’s web interface closes within 2 s when %s', async (_, end) => {
    const link = await share({ expiresAt: after(30) });
    const browser = await openWeb(link);
    const read = async () => {
      // As time goes by between two of them.
      t.server.clock.advance(100);
      const answer = await browser.request(`${device.origin}/`);
      answer.body.resume();
      return answer.status;
    };
    expect(await read()).toBe(200);
    await end(link);
    // What is remembered of the guest counts by this clock, which stands still but for the reads.
    const since = t.server.clock.now().getTime();
    await expect.poll(read, { interval: 10 }).toBe(401);
    const took = t.server.clock.now().getTime() - since;
    expect(await enter(link)).toMatchObject(invalid);
    expect(took).toBeLessThan(2_000);
  });

  it('a guest loses a named service that is taken away, and does not get the next one of its port', async () => {
    const name = (text: string) =>
      call('createService', { as: t.owner, params, body: { port: 8080, name: text } });
    await name('Node-RED');
    const link = await share({ service: 8080 });
    expect(link.service).toBe('8080');
    expect((await enter(link)).body).toMatchObject({ kind: 'web' });
    await call('deleteService', { as: t.owner, params: { ...params, port: '8080' } });
    expect(await enter(link)).toMatchObject(invalid);
    t.server.clock.advance(1000);
    await name('Another');
    expect(await enter(link)).toMatchObject(invalid);
  });
});

describe('a guest at a terminal', () => {
  it('a guest logs in with credentials of their own at a terminal, and types there', async () => {
    const terminal = await openTerminal(await share({ service: 'ssh' }));
    terminal.socket.send(Buffer.from('echo hello\n'));
    await expect.poll(() => typed).toContain('echo hello');
    const closed = once(terminal.socket, 'close');
    terminal.send({ type: 'end' });
    await closed;
  });

  it('a guest who may only look types nothing', async () => {
    const terminal = await openTerminal(await share({ service: 'ssh', isReadOnly: true }));
    terminal.socket.send(Buffer.from('rm -r /\n'));
    terminal.send({ type: 'resize', columns: 91, rows: 31 });
    // What came after it has arrived.
    await expect.poll(() => ssh.sizes).toContain('91x31');
    expect(typed).not.toContain('rm -r');
    terminal.socket.terminate();
  });

  it('a terminal’s cookie goes to the path of guests’ terminals alone, and opens that of its link and no other', async () => {
    const link = await share({ service: 'ssh' });
    const second = await connectTerminal(await share({ service: 'ssh' }));
    expect(second.setCookie).toContain(`Path=${guestTerminalPath}`);
    expect(second.setCookie).toContain('HttpOnly');
    expect(second.setCookie).toContain('SameSite=Strict');
    const foreign = second.cookie.split('=')[1] ?? '';
    const named = { cookie: `pult_guest_${link.id}=${foreign}` };
    expect((await connectTerminal(link, named)).status).toBe(401);
    expect((await connectTerminal(link, { guest: second.entered.guestId })).status).toBe(401);
    expect((await connectTerminal(link, { guest: 'x' })).status).toBe(401);
    const asked = { headers: { ...named, origin: t.server.publicUrl }, body: { guestId: link.id } };
    expect(await call('openGuestTunnel', asked)).toMatchObject(invalid);
    expect((await connectTerminal(link, { origin: device.origin })).status).toBe(400);
    for (const headers of [{ cookie: `pult_session=${foreign}` }, bearer({ token: foreign })]) {
      expect((await call('getCurrentUser', { headers })).status).toBe(401);
    }
  });

  it('a terminal of one guest is not started with the key of another', async () => {
    const [one, two] = [await share({ service: 'ssh' }), await share({ service: 'ssh' })];
    const theirs = await connectTerminal(two);
    const key = await askKey(theirs.entered.guestId, theirs.cookie);
    const { socket } = await connectTerminal(one);
    const terminal = new Terminal(socket);
    const size = { columns: 80, rows: 24 };
    terminal.send({
      type: 'start',
      tunnelKey: key,
      username: 'root',
      credential: password('right'),
      ...size,
    });
    expect(await terminal.next()).toMatchObject({ type: 'failed', code: 'tunnel_ticket_invalid' });
  });

  it('a guest’s terminal is cut within 2 s when the link is ended', async () => {
    const link = await share({ service: 'ssh' });
    const terminal = await openTerminal(link);
    const closed = once(terminal.socket, 'close');
    const elapsed = startStopwatch();
    await call('deleteGuestLink', { as: admin, params: { ...params, linkId: link.id } });
    await closed;
    expect(elapsed()).toBeLessThan(2_000);
    const names = (await listEvents('guest_link.deleted')).map(({ details }) => details.guest);
    expect(names).toContain('Ivan of the fitters');
  });
});
