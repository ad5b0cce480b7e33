import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createListeningServer, type ListeningServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AuditDetails, createAuditLog } from '../../../platform/audit.ts';

let server: ListeningServer;
let owner: TestUser;
let organization: string;

beforeAll(async () => {
  server = await createListeningServer();
  owner = await server.createUser('owner@example.com');
});
afterAll(() => server.close());
beforeEach(async () => {
  organization = await server.createOrganization(owner);
});

async function record(subject: string, details: AuditDetails = {}) {
  const event = { action: 'controller.updated', userId: owner.id, organizationId: organization } as const;
  await createAuditLog(server.db, server.clock).record({ ...event, subject, address: '192.0.2.7', details });
}

const get = (headers: Record<string, string> = {}, query: Record<string, string> = {}) =>
  server.call('listAuditEvents', {
    as: owner,
    params: { organizationId: organization },
    query,
    headers: { accept: 'text/csv', ...headers },
  });
const linesOf = async (query: Record<string, string> = {}) =>
  String((await get({}, query)).body)
    .split('\r\n')
    .slice(1, -1);

describe('the audit log as CSV', () => {
  it('the audit log as CSV is a file with a name of ours, in UTF-8 that spreadsheets know', async () => {
    await record('SN-1', { changed: 'description, latitude' });
    const answer = await get();
    const day = server.clock.now().toISOString().slice(0, 10);
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="audit-log-${day}.csv"`,
        'cache-control': 'no-store',
        vary: 'accept, accept-language',
      },
    });
    const at = server.clock.now().toISOString();
    expect(answer.body).toBe(
      '\ufeffTime (UTC),Event,Who,What,Address,Details,Times,Last time (UTC)\r\n' +
        `${at},controller.updated,owner@example.com,SN-1,192.0.2.7,"changed: description, latitude",1,${at}\r\n`,
    );
  });

  it('the audit log as CSV has its header in the language of the reader', async () => {
    const { body } = await get({ 'accept-language': 'ru' });
    expect(body).toBe(
      '\ufeffВремя (UTC),Событие,Кто,Что,Адрес,Подробности,Сколько раз,В последний раз (UTC)\r\n',
    );
  });

  it('the audit log as CSV is what a Russian spreadsheet takes, where its reader names a time zone', async () => {
    await record('SN-1', { changed: 'description, latitude' });
    const { body } = await get({ 'accept-language': 'ru' }, { time_zone: 'Etc/GMT-3' });
    const local = new Date(server.clock.now().getTime() + 3 * 3600_000).toISOString();
    const at = `${local.slice(8, 10)}.${local.slice(5, 7)}.${local.slice(0, 4)} ${local.slice(11, 19)}`;
    expect(body).toBe(
      '\ufeffВремя (Etc/GMT-3);Событие;Кто;Что;Адрес;Подробности;Сколько раз;В последний раз (Etc/GMT-3)\r\n' +
        `${at};controller.updated;owner@example.com;SN-1;192.0.2.7;changed: description, latitude;1;${at}\r\n`,
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+7 495', "'+7 495"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r'=1"`],
    ['=cmd|\'/C calc\'!A0,"x"', `"'=cmd|'/C calc'!A0,""x"""`],
    ['a "quoted", text', '"a ""quoted"", text"'],
    ['two\nlines', '"two\nlines"'],
    ['a=b', 'a=b'],
    ['Насос №1', 'Насос №1'],
  ])('writes %j so that no spreadsheet runs or splits it', async (subject, cell) => {
    await record(subject);
    const { body } = await get();
    expect(String(body)).toContain(`,owner@example.com,${cell},192.0.2.7,`);
  });

  it('the audit log as CSV has all that match, newest first, whatever page is asked for', async () => {
    for (const subject of ['first', 'second', 'other', 'third']) {
      await record(subject);
      server.clock.advance(1);
    }
    expect((await linesOf()).map((line) => line.split(',')[3])).toEqual([
      'third',
      'other',
      'second',
      'first',
    ]);
    expect(await linesOf({ page: '2', page_size: '1' })).toHaveLength(4);
    expect(await linesOf({ subject: 'IR' })).toHaveLength(2);
  });

  it('the audit log as CSV is JSON for whoever does not ask for CSV, and refuses as any call does', async () => {
    expect((await get({ accept: '*/*' })).headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await get({ accept: 'application/json, TEXT/CSV;q=0.9' })).headers['content-type']).toContain(
      'csv',
    );
    const period = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    expect(await get({}, period)).toMatchObject({ status: 400, body: { from: expect.any(Array) } });
    const params = { organizationId: organization };
    const stranger = await server.createUser();
    const refused = await server.call('listAuditEvents', {
      as: stranger,
      params,
      headers: { accept: 'text/csv' },
    });
    expect(refused).toMatchObject({ status: 404, body: { code: 'organization_not_found' } });
  });
});

describe('a large audit log', () => {
  // Some 50 MB: more than the system's own buffers take, which Linux may let grow to 36.
  const rows = 10_000;
  const details = JSON.stringify({ changed: 'x'.repeat(5000) });

  async function fill() {
    await server.db.deleteFrom('audit_events').execute();
    const at = server.clock.now();
    for (let done = 0; done < rows; done += 2000) {
      // All of one moment: only their ids order them.
      const events = Array.from({ length: 2000 }, (_, index) => ({
        id: globalThis.crypto.randomUUID(),
        at,
        action: 'controller.updated',
        user_id: owner.id,
        organization_id: organization,
        subject: `SN-${done + index}`,
        address: '192.0.2.7',
        details,
      }));
      await server.db.insertInto('audit_events').values(events).execute();
    }
  }

  async function open() {
    const asked = request({
      host: '127.0.0.1',
      port: server.port,
      path: `/api/v1/organizations/${organization}/audit-log/`,
      headers: { host: `localhost:${server.port}`, cookie: owner.cookie, accept: 'text/csv' },
    });
    asked.on('error', () => {}).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  }

  it('comes whole, each event once', async () => {
    await fill();
    let text = '';
    for await (const chunk of (await open()).setEncoding('utf8')) text += chunk;
    const subjects = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[3]);
    expect(new Set(subjects).size).toBe(rows);
    expect(subjects).toHaveLength(rows);
  });

  it('a large audit log is read from the database only as fast as somebody takes it', async () => {
    await fill();
    const query = vi.spyOn(server.db.getExecutor(), 'executeQuery');
    const response = await open();
    response.pause();
    // Until nothing more is read, although most of it is unread: a part takes a few milliseconds.
    let before = -1;
    const countNew = () => {
      const added = query.mock.calls.length - before;
      before = query.mock.calls.length;
      return added;
    };
    await expect.poll(countNew, { interval: 250, timeout: 10_000 }).toBe(0);
    const queries = query.mock.calls.length;
    response.destroy();
    query.mockRestore();
    expect(queries).toBeGreaterThan(3);
    // Each part of 500 takes two.
    expect(queries).toBeLessThan((rows / 500) * 2);
  });

  it('breaks off, and does not seem to end, when its reader loses the right to it', async () => {
    await fill();
    const response = await open();
    response.pause();
    await server.db
      .updateTable('memberships')
      .set({ role: 'viewer' })
      .where('user_id', '=', owner.id)
      .execute();
    const read = (async () => {
      for await (const chunk of response) void chunk;
    })();
    await expect(read).rejects.toThrow();
  });
});
