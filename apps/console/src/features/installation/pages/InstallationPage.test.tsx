import type { Installation, InstallationDiagnosis } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const me = {
  id: '01890a5d-ac96-774b-bcce-b302099a8070',
  email: 'boss@example.com',
  totpEnabled: false,
  hasRecoveryCodes: false,
  hasTotpRequiredOrg: false,
  isAdministrator: true,
  locale: 'en',
};

const well: Installation = {
  version: '1.2.3',
  node: '24.1.0',
  startedAt: '2025-11-20T09:40:00Z',
  backups: {
    problems: [],
    isScheduled: true,
    isUnderWay: false,
    isEncrypted: true,
    hasDatabase: true,
    place: 'folder',
    nextAt: '2025-11-21T03:00:00Z',
    lastSuccess: { name: 'pult-1.tar.gz', at: '2025-11-20T03:00:00Z', bytes: 5_242_880 },
    lastFailure: null,
    runs: [],
  },
  certificates: { problems: [], list: [{ name: 'server', validUntil: '2026-03-01T12:00:00Z' }] },
  disk: { problems: [], bytes: 10 * 2 ** 30, availableBytes: 4 * 2 ** 30 },
  database: { problems: [], version: '18.1', isEmbedded: true, bytes: 2 ** 20, answerMs: 1.2 },
  controllers: { problems: [], links: 7, count: 9, countOnline: 7, limit: 10, wirenBoardOff: null },
  agentUpdates: {
    problems: [],
    version: '1.2.3',
    agents: 9,
    older: 2,
    isAutomatic: false,
    wave: null,
  },
  jobs: { problems: [], waiting: 3, due: 0, running: 1, failed: 0, failures: [], recurring: [] },
  deliveries: { problems: [], channels: [] },
  people: {
    problems: [],
    organizations: 2,
    users: 5,
    usersWithoutTotp: 1,
    administrators: 1,
    administratorsWithoutTotp: 0,
  },
};
const diagnosis: InstallationDiagnosis = {
  examinedAt: '2025-11-20T09:41:00Z',
  status: 'fail',
  findings: [
    { check: 'clock', status: 'ok', text: 'a time service keeps the clock', action: null },
    { check: 'mail', status: 'warn', text: 'no mail server is set', action: 'Set SMTP_URL.' },
    { check: 'ports', status: 'fail', text: 'nobody listens on PORT 1', action: 'Look at the log.' },
  ],
};
const organization = {
  id: '01890a5d-ac96-774b-bcce-b302099a8071',
  name: 'Boiler Works',
  createdAt: '2025-01-05T10:00:00Z',
  controllers: 9,
  members: 4,
  membersWithoutTotp: 1,
  archiveBytes: 2048,
  measurementBytes: 3 * 2 ** 20,
};

const ordinary: Answers = {
  getCurrentUser: () => me,
  getInstallation: () => well,
  getDiagnosis: () => diagnosis,
  listInstallationNodes: () => ({ results: [] }),
  listInstallationOrganizations: () => ({ count: 1, next: null, previous: null, results: [organization] }),
};
const open = (answers: Answers = {}, locale: 'en' | 'ru' = 'en') =>
  renderConsole('/installation', { locale, answers: { ...ordinary, ...answers } });

const card = (name: string) => screen.findByRole('region', { name });

describe('the page of the installation', () => {
  it('shows each part with its figures, and that all is well', async () => {
    open();
    expect(await screen.findByText('Everything is fine')).toBeTruthy();
    const backups = within(await card('Backups'));
    expect(backups.getByText('Fine')).toBeTruthy();
    expect(backups.getByText('5 MB')).toBeTruthy();
    expect(backups.getByText('by restoring it')).toBeTruthy();
    expect(within(await card('Controllers')).getByText('9 of 10')).toBeTruthy();
    expect(within(await card('Disk')).getByText('60% used')).toBeTruthy();
    expect(within(await card('Certificates')).getByText('until 1 Mar 2026')).toBeTruthy();
    const table = await screen.findByRole('table', { name: 'Organizations' });
    expect(within(table).getByRole('rowheader', { name: 'Boiler Works' })).toBeTruthy();
    expect(within(table).getByText('3 MB')).toBeTruthy();
    expect(document.title).toBe('Server · Pult');
  });

  it.each([
    ['en', 'not taken', /^Port 7107, for the tunnels.*WB_TUNNEL_PORT/],
    ['ru', 'не принимаются', /^Порт 7107 для туннелей.*WB_TUNNEL_PORT/],
  ] as const)(
    'says why no Wiren Board controllers are taken, and what to do (%s)',
    async (locale, state, reason) => {
      const wirenBoardOff = { reason: 'port_taken', names: [], port: 7107 } as const;
      const controllers = well.controllers && { ...well.controllers, wirenBoardOff };
      open({ getInstallation: () => ({ ...well, controllers }) }, locale);
      expect(await screen.findByText(state)).toBeTruthy();
      expect(screen.getByText(reason)).toBeTruthy();
    },
  );

  it('lists the newest backups with how, by whom, size and result', async () => {
    const run = {
      name: 'by-hand.tar.gz',
      startedAt: '2025-11-20T04:00:00Z',
      origin: 'command',
      requestedBy: 'root',
    } as const;
    open({
      getInstallation: () => ({
        ...well,
        backups: {
          ...well.backups,
          runs: [
            { ...run, status: 'failed', bytes: null, reason: 'no room on the disk' },
            { ...run, startedAt: '2025-11-20T03:00:00Z', status: 'done', bytes: 5_242_880, reason: null },
          ],
        },
      }),
    });
    const list = within(await card('Backups')).getByRole('list', { name: 'Recent backups', hidden: true });
    const [failed, done] = within(list).getAllByRole('listitem', { hidden: true });
    expect(failed?.textContent).toMatch(
      /failed.*By a command, not checked, root · by-hand\.tar\.gzno room on the disk$/,
    );
    expect(done?.textContent).toMatch(/done5\sMB/);
  });

  it.each([
    ['en', 'Until then read mails with: pult mail list', 'What pult doctor tells.'],
    ['ru', 'Пока письма читает команда: pult mail list', 'То же, что показывает команда pult doctor.'],
  ] as const)(
    'names commands as they are called where the server runs (%s)',
    async (locale, mails, doctor) => {
      const deliveries = { ...well.deliveries, problems: ['mail_unserved' as const] };
      open({ getInstallation: () => ({ ...well, deliveries }) }, locale);
      expect(await screen.findByText(new RegExp(mails))).toBeTruthy();
      expect(await screen.findByText(new RegExp(doctor))).toBeTruthy();
    },
  );

  it.each([
    ['en', 'Something is failing', 'The newest backup is too old', 'Nobody sends mails'],
    ['ru', 'Нужно вмешаться', 'Резервная копия устарела', 'Письма никто не отправляет'],
  ] as const)('tells what is wrong, what fails first (%s)', async (locale, summary, failing, warning) => {
    const { backups, deliveries } = well;
    open(
      {
        getInstallation: () => ({
          ...well,
          deliveries: { ...deliveries, problems: ['mail_unserved'] },
          backups: {
            ...backups,
            problems: ['backup_overdue'],
            lastFailure: { at: '2025-11-20T03:00:00Z', reason: 'no room on the disk' },
          },
        }),
      },
      locale,
    );
    const region = within(await card(summary));
    const items = region.getAllByRole('listitem').map((item) => item.textContent);
    expect(items[0]).toContain(failing);
    expect(items[1]).toContain(warning);
    expect(screen.getByText('no room on the disk')).toBeTruthy();
  });

  it('says of a part that the server could not tell that it is unknown, and shows the others', async () => {
    open({ getInstallation: () => ({ ...well, database: null }) });
    expect(await screen.findByText('Not everything could be told')).toBeTruthy();
    const database = within(await card('Database'));
    expect(database.getByText('Unknown')).toBeTruthy();
    expect(within(await card('Program')).getByText('1.2.3')).toBeTruthy();
  });

  it.each([
    ['en', 'Organizations', 'unknown'],
    ['ru', 'Организации', 'неизвестно'],
  ] as const)('says where the space of measurements could not be told (%s)', async (locale, title, text) => {
    const listInstallationOrganizations = () => ({
      count: 1,
      next: null,
      previous: null,
      results: [{ ...organization, measurementBytes: null }],
    });
    open({ listInstallationOrganizations }, locale);
    const table = await screen.findByRole('table', { name: title });
    expect(within(table).getByRole('cell', { name: text })).toBeTruthy();
  });

  it('shows what the doctor finds, the worst first and what is well folded', async () => {
    open();
    const region = within(await card('Examination'));
    await region.findByText('nobody listens on PORT 1');
    const texts = region.getAllByRole('listitem').map((item) => item.textContent);
    expect(texts[0]).toContain('Ports');
    expect(texts[0]).toContain('Look at the log.');
    expect(texts[1]).toContain('Set SMTP_URL.');
    expect(region.getByText('Fine: 1 finding').closest('details')?.open).toBe(false);
  });

  it('a backup that is asked for is shown while it is being made', async () => {
    let isUnderWay = false;
    const { callsOf } = open({
      getInstallation: () => ({ ...well, backups: { ...well.backups, isUnderWay } }),
      createBackup: () => {
        isUnderWay = true;
        return { name: 'pult-2.tar.gz' };
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Back up now' }));
    expect(await screen.findByText('A backup is being made')).toBeTruthy();
    expect(callsOf('createBackup')).toHaveLength(1);
  });

  it.each([
    [
      'en',
      'Agents',
      'Updates of agents have stopped',
      'The agent says: <b>no</b> link',
      'Go on with updates',
    ],
    [
      'ru',
      'Агенты',
      'Обновления агентов остановлены',
      'Агент сообщает: <b>no</b> link',
      'Продолжить обновления',
    ],
  ] as const)(
    'automatic updates of agents that stopped say why, and go on by a button (%s)',
    async (locale, title, problem, words, button) => {
      const at = '2025-11-20T09:00:00Z';
      const stopped = { at, reason: 'returned', detail: '<b>no</b> link' } as const;
      let wave = { share: 0.1, begun: 4, underWay: 0, stopped: stopped as typeof stopped | null };
      const { callsOf } = open(
        {
          getInstallation: () => ({
            ...well,
            agentUpdates: {
              ...well.agentUpdates,
              problems: wave.stopped ? ['agent_updates_stopped'] : [],
              isAutomatic: true,
              wave,
            },
          }),
          resumeAgentUpdates: () => {
            wave = { ...wave, stopped: null };
            return undefined;
          },
        },
        locale,
      );
      expect(await screen.findByText(problem)).toBeTruthy();
      const agents = within(await card(title));
      expect(agents.getByText(words)).toBeTruthy();
      fireEvent.click(agents.getByRole('button', { name: button }));
      await waitFor(() => expect(agents.queryByText(words)).toBeNull());
      expect(screen.queryByText(problem)).toBeNull();
      expect(callsOf('resumeAgentUpdates')).toHaveLength(1);
    },
  );

  it('a failed job is tried again by its button', async () => {
    const failure = {
      id: '17',
      name: 'deliver-mail',
      failedAt: '2025-11-20T09:00:00Z',
      error: '<b>refused</b>',
      isGivenUp: true,
    };
    let failures = [failure];
    const { callsOf } = open({
      getInstallation: () => ({ ...well, jobs: { ...well.jobs, failures } }),
      retryJob: () => {
        failures = [];
        return undefined;
      },
    });
    expect(await screen.findByText('<b>refused</b>')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Retry the job deliver-mail' }));
    await waitFor(() => expect(screen.queryByText('<b>refused</b>')).toBeNull());
    expect(callsOf('retryJob')).toMatchObject([{ params: { jobId: '17' } }]);
  });

  it('the page says that it was not confirmed by a code, and asks again on request', async () => {
    const { callsOf } = open({ getInstallation: () => refuse(403, 'totp_required', 'Confirm.') });
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('This page needs a code')).toBeTruthy();
    expect(callsOf('getInstallation')).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(callsOf('getInstallation')).toHaveLength(2));
  });

  it('others are led to the root, as by any address that is not there, and see no way to it', async () => {
    const { address, callsOf } = open({ getCurrentUser: () => ({ ...me, isAdministrator: false }) });
    await screen.findByRole('navigation', { name: 'Sections' });
    await waitFor(() => expect(address()).not.toContain('installation'));
    expect(screen.queryByRole('link', { name: 'Server' })).toBeNull();
    expect(callsOf('getInstallation')).toEqual([]);
  });

  it('administrators reach it from the sections', async () => {
    const { address } = renderConsole('/security', { answers: ordinary });
    fireEvent.click(await screen.findByRole('link', { name: 'Server' }));
    await waitFor(() => expect(address()).toBe('/installation'));
  });
});
