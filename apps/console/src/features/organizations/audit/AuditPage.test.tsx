import type { AuditEvent, Role } from '@pult/contract';
import { type AuditDetailRow, auditDetails, auditDetailTable } from '@pult/contract/values';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { type Answers, organization, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { en, ru } from './messages.ts';

const path = `/organizations/${organization.id}/audit`;

function makeEvent(changes: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8111',
    at: '2025-11-20T09:40:15Z',
    count: 1,
    lastAt: '2025-11-20T09:40:15Z',
    action: 'member.role_changed',
    user: { id: organization.id, email: 'a@example.com' },
    subject: 'viewer@example.com',
    address: '192.0.2.7',
    details: { role: 'admin', previousRole: 'viewer' },
    existingControllers: [],
    ...changes,
  };
}

const viewerId = '01890a5d-ac96-774b-bcce-b302099a8222';

interface Fixture {
  query?: string;
  role?: Role;
  events?: AuditEvent[];
  count?: number;
  locale?: 'ru' | 'en';
  answers?: Answers;
}

function open({
  query = '',
  role = 'admin',
  events = [makeEvent()],
  count,
  locale = 'en',
  answers,
}: Fixture = {}) {
  return renderConsole(path + query, {
    locale,
    answers: {
      listOrganizations: () => [{ ...organization, userRole: role }],
      getOrganization: () => ({ ...organization, userRole: role }),
      listMembers: () => [
        { userId: viewerId, email: 'viewer@example.com', role: 'viewer', totpEnabled: false, joinedAt: '' },
      ],
      listAuditEvents: () => ({
        count: count ?? events.length,
        next: null,
        previous: null,
        results: events,
      }),
      ...answers,
    },
  });
}

const cells = async () =>
  within(await screen.findByRole('table'))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

test('an event is told in words: when, what, to whom, who, from where', async () => {
  open();
  const [at, ...rest] = await cells();
  expect(at).toMatch(/^20 Nov 2025, \d\d:40:15$/);
  expect(rest).toEqual([
    'Role changedrole: admin; role before: viewer',
    'viewer@example.com',
    'a@example.com',
    '192.0.2.7',
  ]);
});

test('the same in Russian', async () => {
  open({ locale: 'ru' });
  expect((await cells()).slice(1, 2)).toEqual([
    'Роль измененароль: администратор; прежняя роль: наблюдатель',
  ]);
});

test.each<[string, AuditEvent['details'], string]>([
  [
    'organization.updated',
    { name: 'owner', totpRequired: true },
    'new name: owner; a second factor is now required',
  ],
  ['controller.updated', { changed: 'description, latitude' }, 'changed: description, latitude'],
  ['terminal.closed', { bytesIn: 3482, bytesOut: 8 }, 'sent: 3.4\u00a0kB; received: 8\u00a0B'],
  ['diagnostic.downloaded', { id: 'a1', size: 1200 }, 'archive number: a1; size: 1.2\u00a0kB'],
  ['group.updated', { previousName: 'owner', moved: true }, 'name before: owner; moved within the tree'],
  ['alert_rule.created', { enabled: false, minutes: 5 }, 'alerts off; after, min: 5'],
  ['service.created', { port: 1880, service: 'closed' }, 'port: 1880; service: closed'],
  ['tunnel.opened', { protocol: '1880' }, 'port: 1880'],
  ['tunnel.opened', { protocol: 'http' }, 'protocol: web interface'],
  [
    'access.refused',
    { route: 'updateController', permission: 'controllers.update' },
    'what was tried: change a controller',
  ],
  ['access.refused', { route: 'updateController' }, 'call: update controller'],
  ['group.deleted', { count: 3, subgroups: 1 }, 'controllers: 3; subgroups: 1'],
  ['controllers.attached', { count: 2, controllers: 'A1, B2' }, 'count: 2; controllers: A1, B2'],
  [
    'controllers.attached',
    { count: 1200, controllers: 'A1, A2, A3, A4, A5, A6, A7, A8, A9, A1' },
    'count: 1200; controllers: A1, A2, A3, A4, A5, A6, A7, A8 and 1,192 more',
  ],
  [
    'controllers.detached',
    {
      filter:
        '{"organization_id":"1","group_ids":"1,2","search":"offline","status":"offline","latitude_min":"1","latitude_max":"2"}',
    },
    'by filter: groups: 2, search: offline, status: offline, within the map’s bounds',
  ],
  [
    'controllers.detached',
    { filter: '{"connection_kind":"wiren-board,ssh","month_traffic_min":"5"}' },
    'by filter: connection: Wiren Board, SSH, traffic this month at least, bytes: 5',
  ],
  ['controllers.detached', { filter: '{"search":"cut' }, 'by filter: …'],
  [
    'enrolment_key.created',
    { maxUses: 40, expiresAt: '2026-03-01T12:00:00Z', group: 'member' },
    'controllers at most: 40; good until: 1 Mar 2026, 12:00; group: member',
  ],
  ['controller.activated', { enrolmentKey: 'done' }, 'by the key: done'],
  ['token.created', { scopes: 'controllers.read, newer.one' }, 'scopes: see the controllers, newer.one'],
  ['passkey.added', { name: 'Laptop' }, 'name: Laptop'],
  ['webhook.created', { webhookHost: 'a.example', count: 2 }, 'kinds of events chosen: 2'],
  ['sign_in.groups_changed', { count: 2 }, 'rules: 2'],
  ['guest_link.created', { guest: 'http', service: 'ssh' }, 'guest: http; service: SSH'],
  ['tunnel.opened', { newerThing: 'thing', empty_one: null }, 'newer thing: thing; empty one: —'],
])('details of %s are told in words: %j', async (action, details, text) => {
  open({ events: [makeEvent({ action: action as AuditEvent['action'], details })] });
  await screen.findByRole('table');
  expect((await cells())[1]?.endsWith(text)).toBe(true);
});

test('details are told in words in Russian, a port without separators', async () => {
  const details = { port: 1880, service: 'Node-RED' };
  open({ locale: 'ru', events: [makeEvent({ action: 'service.created', details })] });
  expect((await cells())[1]).toBe('Веб-сервис добавленпорт: 1880; сервис: Node-RED');
});

test.each([
  ['ru', 'где: admin'],
  ['en', 'where: admin'],
] as const)('the part that somebody was invited to is shown by its name in %s', async (locale, text) => {
  // A group may be called as a role is.
  const details = { role: 'member', place: 'admin' };
  open({ locale, events: [makeEvent({ action: 'member.joined', details })] });
  expect((await cells())[1]?.endsWith(text)).toBe(true);
});

test.each(['ru', 'en'] as const)('each detail that the server writes has its name in %s', async (locale) => {
  // Said by the permission where there is one.
  const written = auditDetails.filter((name) => name !== 'permission');
  open({ locale, events: [makeEvent({ details: Object.fromEntries(written.map((name) => [name, '0'])) })] });
  const [, what = ''] = await cells();
  const phrases = written.map((name) => {
    const { kind, label, otherwise = label }: AuditDetailRow = auditDetailTable[name];
    if (kind === 'sentence') return otherwise[locale];
    const said = name === 'count' ? { ru, en }[locale].controllersCounted : label[locale];
    return `${said}: ${kind === 'filter' ? '…' : '0'}`;
  });
  expect(what.endsWith(phrases.join('; '))).toBe(true);
});

test.each([
  ['en', '×55 times, last at 20 Nov 2025, '],
  ['ru', '×55 раз, последний 20 нояб. 2025'],
] as const)(
  'what happened several times within a minute is one row with its count, in %s',
  async (locale, text) => {
    open({
      locale,
      events: [makeEvent({ count: 5, lastAt: '2025-11-20T09:40:55Z' }), makeEvent({ id: '2' })],
    });
    const shown = await cells();
    expect(shown[1]).toContain(text);
    expect(shown[1]).toContain(':40:55');
    expect(shown[6]).not.toContain('×');
  },
);

const shownLinks = () =>
  within(screen.getByRole('table'))
    .queryAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
const controllerPath = `/organizations/${organization.id}/controllers`;
const viewerLink = ['viewer@example.com', `/organizations/${organization.id}/access?open=${viewerId}`];

test('people who are members lead to their details, others to nowhere', async () => {
  open({ events: [makeEvent({ user: { id: viewerId, email: 'viewer@example.com' } })] });
  await waitFor(() => expect(shownLinks()).toEqual([viewerLink, viewerLink]));
  expect(screen.queryByRole('link', { name: 'a@example.com' })).toBeNull();
});

test('serial numbers lead to their controllers, those of controllers that are gone to nowhere', async () => {
  open({
    events: [
      makeEvent({
        id: '1',
        action: 'tunnel.opened',
        subject: 'A1',
        details: { protocol: 'http' },
        existingControllers: ['A1'],
      }),
      makeEvent({ id: '2', action: 'controller.deleted', subject: 'A2', details: {} }),
      makeEvent({ id: '6', action: 'tunnel.ended', subject: 'A2', details: {} }),
      makeEvent({
        id: '3',
        action: 'controllers.attached',
        subject: 'North',
        details: { controllers: 'A2, A3, A4' },
        existingControllers: ['A3', 'A4'],
      }),
      makeEvent({
        id: '4',
        action: 'access.refused',
        subject: 'A5',
        details: { route: 'deleteController', permission: 'controllers.delete' },
        existingControllers: ['A5'],
      }),
      // A group of the same name as a controller.
      makeEvent({
        id: '5',
        action: 'access.refused',
        subject: 'A3',
        details: { permission: 'groups.attach' },
        existingControllers: ['A3'],
      }),
    ],
  });
  await screen.findByRole('table');
  expect(shownLinks()).toEqual(
    ['A1', 'A3', 'A4', 'A5'].map((serial) => [serial, `${controllerPath}/${serial}`]),
  );
  expect(screen.getAllByText('A2')).toHaveLength(3);
});

test('what devices and people wrote is text and nothing else', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  open({ events: [makeEvent({ subject: hostile, details: { [hostile]: hostile }, user: null })] });
  await screen.findByText(hostile);
  expect((await cells())[1]).toContain(`${hostile}: ${hostile}`);
  expect(document.querySelector('img')).toBeNull();
  expect(screen.getByText('unknown')).toBeTruthy();
});

test('the filters live in the address and are what the server is asked', async () => {
  const { callsOf } = open({
    query:
      '?action=member.joined,member.left&user=a%40b&subject=SN&from=2025-11-01&to=2025-11-02&page=2&page_size=50',
    count: 200,
  });
  await screen.findByRole('table');
  const [call] = callsOf('listAuditEvents');
  expect(call?.query).toMatchObject({
    action: 'member.joined,member.left',
    user: 'a@b',
    subject: 'SN',
    page: '2',
    page_size: '50',
  });
  const length = new Date(call?.query.to ?? '').getTime() - new Date(call?.query.from ?? '').getTime();
  expect(length).toBe(2 * 24 * 3600 * 1000);
  expect(screen.getByText('51–100 of 200')).toBeTruthy();
  expect(screen.getAllByText('Member joined').length).toBeGreaterThan(0);
});

test('choosing a filter changes the address and goes to the first page', async () => {
  const { address } = open({ query: '?page=2', count: 60 });
  await screen.findByRole('table');
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2025-11-01' } });
  await waitFor(() => expect(address()).toBe(`${path}?from=2025-11-01`));
  fireEvent.change(screen.getByRole('searchbox', { name: 'Who (email)' }), { target: { value: 'a@b' } });
  await waitFor(() => expect(address()).toBe(`${path}?user=a@b&from=2025-11-01`));
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(address()).toBe(path));
});

test('a period that ends before it begins is told at its field and not asked', async () => {
  const { callsOf } = open({ query: '?from=2025-11-02&to=2025-11-01' });
  await screen.findByText('Ends before it begins');
  expect(callsOf('listAuditEvents')).toEqual([]);
});

test('nothing found offers to clear the filters; an empty log says what will be there', async () => {
  const { address } = open({ query: '?user=nobody', events: [] });
  await screen.findByText('Nothing found');
  fireEvent.click(
    within(screen.getByRole('main')).getAllByRole('button', { name: 'Clear filters' })[1] as HTMLElement,
  );
  await waitFor(() => expect(address()).toBe(path));
  await screen.findByText('No events yet');
});

test('a log that could not be loaded is offered again', async () => {
  let isFailing = true;
  open({
    answers: {
      listAuditEvents: () =>
        isFailing
          ? refuse(400, 'invalid_request')
          : { count: 1, next: null, previous: null, results: [makeEvent()] },
    },
  });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isFailing = false;
  fireEvent.click(retry);
  await screen.findByRole('table');
});

test.each(['member', 'viewer'] as const)(
  'a %s is told for whom the log is, and it is not asked for',
  async (role) => {
    const { callsOf } = open({ role });
    await screen.findByText('The audit log is for admins');
    expect(callsOf('listAuditEvents')).toEqual([]);
    expect(screen.queryByRole('link', { name: 'Audit log' })).toBeNull();
  },
);

test('the download is what the filters show, as CSV, under the server’s name for it', async () => {
  const { fetch } = open({ query: '?user=a%40b&page=2', count: 60 });
  await screen.findByRole('table');
  const asked: { url: string; headers: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (!String(url).includes('audit-log')) return fetch(url, init);
    asked.push({ url, headers: init.headers });
    const disposition = 'attachment; filename="audit-log-2025-11-20.csv"';
    return new Response('Time,Event', { headers: { 'content-disposition': disposition } });
  });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${this.download} ${this.href.slice(0, 5)}`);
  });
  fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  await waitFor(() => expect(saved).toEqual(['audit-log-2025-11-20.csv blob:']));
  expect(asked).toEqual([
    {
      url: `/api/v1/organizations/${organization.id}/audit-log/?user=a%40b`,
      headers: { accept: 'text/csv', 'accept-language': 'en' },
    },
  ]);
});

test('the download of a Russian reader is for their spreadsheet, by the clock of their browser', async () => {
  const { fetch } = open({ locale: 'ru' });
  await screen.findByRole('table');
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (!String(url).includes('audit-log')) return fetch(url, init);
    asked.push(url);
    return new Response('Время;Событие');
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  fireEvent.click(screen.getByRole('button', { name: 'Скачать CSV' }));
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const query = new URLSearchParams({ time_zone: timeZone });
  await waitFor(() =>
    expect(asked).toEqual([`/api/v1/organizations/${organization.id}/audit-log/?${query}`]),
  );
});

test('a download that is refused is told', async () => {
  const { fetch } = open();
  await screen.findByRole('table');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
    String(url).includes('audit-log')
      ? Response.json(
          { detail: 'Too many attempts.', code: 'too_many_attempts' },
          { status: 429, headers: { 'content-type': 'application/json; charset=utf-8' } },
        )
      : fetch(url, init),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Too many attempts');
});
