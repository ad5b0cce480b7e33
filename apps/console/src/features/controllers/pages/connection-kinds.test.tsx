import { type ConnectionKind, connectionKinds } from '@pult/contract/values';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { makeController, organization, refuse } from '../../testing/fake-api.ts';
import { FakeUplot } from '../../testing/fake-uplot.ts';
import { renderConsole } from '../../testing/render-console.tsx';

afterEach(() => {
  FakeUplot.open = [];
});

const view = `/organizations/${organization.id}/controllers/A1B2C3D4`;

/** A controller that has told nothing yet, as a server answers of it. */
function open(kind: ConnectionKind, search = '', changes: Parameters<typeof renderConsole>[1] = {}) {
  const unreported = kind === 'agent' ? {} : { model: '', firmwareVersion: '', agentVersion: '' };
  return renderConsole(view + search, {
    ...changes,
    answers: {
      getController: () => makeController({ connectionKind: kind, ...unreported }),
      querySystemMetrics: () => [],
      getLastMqttData: () => ({ receivedAt: null, devices: [] }),
      listDiagnostics: () => [],
      requestDiagnostic: () => refuse(409, 'diagnostic_not_given'),
      ...changes.answers,
    },
  });
}

const archive = {
  id: '01890a5d-ac96-774b-bcce-b302099a8059',
  status: 'ready',
  reason: null,
  detail: null,
  progress: 1000,
  size: 1000,
  sha256: 'ab'.repeat(32),
  created: '2025-11-20T09:40:00Z',
  finished: '2025-11-20T09:41:00Z',
  requestedBy: null,
};

describe('a controller, by its kind of connection', () => {
  it.each(
    connectionKinds.flatMap((kind) =>
      ['', '?tab=data', '?tab=traffic', '?tab=diagnostics', '?tab=settings'].map((tab) => [kind, tab]),
    ),
  )('a page of a controller (%s%s) shows no error', async (kind, tab) => {
    // Of the table's own names.
    open(kind as ConnectionKind, tab);
    await screen.findByRole('tabpanel');
    await waitFor(() => expect(screen.getByRole('tabpanel').textContent).not.toBe(''));
    expect(screen.queryAllByRole('alert')).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it.each([
    ['agent', true],
    ['wiren-board', false],
    ['ssh', false],
  ] as const)('a controller (%s) has the traffic saver where its device can save: %s', async (kind, has) => {
    open(kind, '?tab=traffic');
    const section = within(await screen.findByRole('region', { name: 'Traffic saver' }));
    expect(section.queryByRole('switch') !== null).toBe(has);
    expect(section.queryByText(/Only the agent can measure less often/) !== null).toBe(!has);
  });

  it.each([
    ['agent', 'none'],
    ['wiren-board', 'Wiren Board does not tell'],
    ['ssh', 'SSH does not tell'],
  ] as const)('a controller (%s) without a known firmware says: %s', async (kind, text) => {
    open(kind, '', {
      answers: { getController: () => makeController({ connectionKind: kind, firmwareVersion: '' }) },
    });
    const details = within(await screen.findByRole('region', { name: 'Details' }));
    const firmware = details.getByText('Firmware').nextElementSibling;
    expect(firmware?.textContent).toBe(text);
  });

  it.each([
    ['agent', 'en', 'First connection', /what keeps the agent from connecting/, 'sudo pult-agent doctor'],
    ['agent', 'ru', 'Первое подключение', /что мешает агенту подключиться/, 'sudo pult-agent doctor'],
    [
      'wiren-board',
      'en',
      'First connection',
      /agent of Wiren Board/,
      "journalctl -u 'wb-cloud-agent*' -n 50",
    ],
    ['ssh', 'ru', 'Первое подключение', /клиенту SSH/, 'journalctl -u pult-ssh -n 50'],
  ] as const)(
    'a controller (%s) that has never connected says in place of closed ways how it comes to (%s)',
    async (kind, locale, title, text, command) => {
      const answers = {
        getController: () => makeController({ connectionKind: kind, status: 'never', lastSeenAt: null }),
      };
      const { callsOf } = open(kind, '', { locale, answers });
      const section = within(await screen.findByRole('region', { name: title }));
      expect(section.getByText(text)).toBeTruthy();
      expect(section.getByText(command)).toBeTruthy();
      expect(section.queryByText(/agent\/install\.sh/) !== null).toBe(kind === 'agent');
      expect(section.getByRole('link').getAttribute('href')).toBe('/controllers');
      expect(screen.queryByRole('link', { name: /SSH terminal|Терминал SSH/ })).toBeNull();
      expect(callsOf('querySystemMetrics')).toEqual([]);
    },
  );

  it('a controller by SSH keeps the archives of the time when it had the agent', async () => {
    open('ssh', '?tab=diagnostics', { answers: { listDiagnostics: () => [archive] } });
    expect(await screen.findByText('This controller has no diagnostics')).toBeTruthy();
    expect(await screen.findByRole('link', { name: /^Download the archive/ })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Request diagnostics' })).toBeNull();
  });

  it('a Wiren Board says that its vendor’s program collects the archive and hides nothing in it', async () => {
    open('wiren-board', '?tab=diagnostics');
    expect(
      await screen.findByText(/vendor’s program collects.*Passwords and keys may stand in it/),
    ).toBeTruthy();
  });

  it('a Wiren Board without figures says where the server looks for them', async () => {
    open('wiren-board');
    expect(await screen.findByText(/does not answer at 127\.0\.0\.1:1883/)).toBeTruthy();
    expect(screen.queryByText(/The agent reports once a minute/)).toBeNull();
  });

  it('a Wiren Board with some figures says which program publishes the others', async () => {
    const timestamp = new Date(Date.now() - 60_000).toISOString();
    open('wiren-board', '', {
      answers: {
        querySystemMetrics: ({ body }) =>
          Object(body).name === 'cpu_usage' ? [] : [{ timestamp, value: 20 }],
      },
    });
    expect(
      await screen.findByText(/No data in this period: CPU usage\..*nothing publishes CPU usage/),
    ).toBeTruthy();
  });

  it.each([
    ['en', /^Another device has proven this serial number\..*open that link/],
    ['ru', /^Этот серийный номер доказало другое устройство\..*откроет ту ссылку/],
  ] as const)(
    'a controller whose serial number another device has proven says so, and what to do (%s)',
    async (locale, text) => {
      open('agent', '', {
        locale,
        answers: { getController: () => makeController({ isContested: true }) },
      });
      expect((await screen.findByRole('note')).textContent).toMatch(text);
    },
  );

  it.each([
    ['en', /^The controller was detached.*open the activation link/, /Detached at the device/],
    ['ru', /^Контроллер отвязали.*откройте ссылку активации/, /Отвязан на самом устройстве/],
  ] as const)(
    'a controller whose device has left says so, and what to do (%s)',
    async (locale, text, reason) => {
      const at = '2025-11-20T09:40:00Z';
      const left = { status: 'offline', statusReason: 'detached', statusSince: at, detachedAt: at } as const;
      open('wiren-board', '', { locale, answers: { getController: () => makeController(left) } });
      expect((await screen.findByRole('note')).textContent).toMatch(text);
      expect(screen.getByText(reason)).toBeTruthy();
    },
  );

  it('the monitoring page of a controller by SSH says that it has no figures, and asks for none', async () => {
    const { callsOf } = renderConsole(
      `/organizations/${organization.id}/monitoring?var-controller=A1B2C3D4`,
      { answers: { getController: () => makeController({ connectionKind: 'ssh' }) } },
    );
    expect(await screen.findByText('This controller has no values and no figures')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open the controller' })).toBeTruthy();
    expect(callsOf('querySystemMetrics')).toEqual([]);
  });

  it.each([
    ['agent', /setting allow/],
    ['wiren-board', /^The service listens on 127\.0\.0\.1 or on all addresses\.$/],
    ['ssh', /first number of the parameter -R/],
  ] as const)('a new web service of a controller (%s) says which port it means', async (kind, text) => {
    open(kind, '?tab=settings');
    fireEvent.click(await screen.findByRole('button', { name: 'Add service' }));
    expect(await screen.findByText(text)).toBeTruthy();
  });
});
