import type { InstallationNodes } from '@pult/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
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
const node: InstallationNodes['results'][number] = {
  id: 'abcdefghijkm',
  address: '10.0.0.11:7200',
  version: '1.2.3',
  state: 'active',
  links: 3334,
  startedAt: '2025-11-20T09:40:00Z',
  leftAt: null,
  isThis: true,
};

function open(results: InstallationNodes['results'], locale: 'en' | 'ru' = 'en') {
  const nothing = { problems: [] };
  return renderConsole('/installation', {
    locale,
    answers: {
      getCurrentUser: () => me,
      getInstallation: () => ({
        version: '1.2.3',
        node: '24.1.0',
        startedAt: '2025-11-20T09:40:00Z',
        backups: null,
        certificates: { ...nothing, list: [] },
        disk: null,
        database: null,
        controllers: null,
        agentUpdates: null,
        jobs: null,
        deliveries: { ...nothing, channels: [] },
        people: null,
      }),
      getDiagnosis: () => ({ examinedAt: '2025-11-20T09:41:00Z', status: 'ok', findings: [] }),
      listInstallationOrganizations: () => ({ count: 0, next: null, previous: null, results: [] }),
      listInstallationNodes: () => ({ results }),
    },
  });
}

it.each([
  ['en', 'Nodes', 'this one', 'Running', 'Leaving', 'Lost', '3,334'],
  ['ru', 'Узлы', 'этот', 'Работает', 'Завершается', 'Пропал', '3\u00a0334'],
] as const)(
  'the nodes are listed with state, links and version, and the one that answers says so (%s)',
  async (locale, title, own, running, leaving, lost, links) => {
    open(
      [
        node,
        { ...node, id: 'b', address: '10.0.0.12:7200', links: 12, isThis: false, state: 'leaving' },
        {
          ...node,
          id: 'c',
          address: '10.0.0.13:7200',
          isThis: false,
          state: 'lost',
          leftAt: '2025-11-20T09:41:00Z',
        },
      ],
      locale,
    );
    const table = within(await screen.findByRole('table', { name: title }));
    const row = (name: string) => within(table.getByRole('rowheader', { name }).closest('tr') as HTMLElement);
    const first = row(`10.0.0.11:7200 (${own})`);
    expect(first.getByText(running)).toBeTruthy();
    expect(first.getByText(links, { normalizer: (text) => text })).toBeTruthy();
    expect(row('10.0.0.12:7200').getByText(leaving)).toBeTruthy();
    expect(row('10.0.0.13:7200').getByText(lost)).toBeTruthy();
    // How many links it had is told by those who have them now.
    expect(row('10.0.0.13:7200').queryByText(links, { normalizer: (text) => text })).toBeNull();
  },
);

it('the nodes of an installation that has one are not shown', async () => {
  open([{ ...node, address: null }]);
  await screen.findByRole('region', { name: 'Organizations' });
  expect(screen.queryByRole('table', { name: 'Nodes' })).toBeNull();
});
