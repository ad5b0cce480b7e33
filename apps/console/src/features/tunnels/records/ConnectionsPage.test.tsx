import type { Role, TunnelView } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type Answers, organization, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const path = `/organizations/${organization.id}/connections`;

function makeTunnel(changes: Partial<TunnelView> = {}): TunnelView {
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8222',
    kind: 'terminal',
    port: null,
    serialNumber: 'A1B2C3D4',
    user: { id: organization.id, email: 'ivan@example.com' },
    address: '192.0.2.7',
    startedAt: '2025-11-20T09:40:15Z',
    endedAt: null,
    endReason: null,
    endedBy: null,
    bytesIn: 1536,
    bytesOut: 0,
    ...changes,
  };
}

function open(
  tunnels: TunnelView[],
  { role = 'admin', locale = 'en', answers }: { role?: Role; locale?: 'ru' | 'en'; answers?: Answers } = {},
) {
  return renderConsole(path, {
    locale,
    answers: {
      listOrganizations: () => [{ ...organization, userRole: role }],
      getOrganization: () => ({ ...organization, userRole: role }),
      listTunnels: ({ query }) => {
        const results = tunnels.filter(({ endedAt }) => (endedAt === null) === (query.state === 'live'));
        return { count: results.length, next: null, previous: null, results };
      },
      ...answers,
    },
  });
}

const rowOf = async (email: string) => (await screen.findByText(email)).closest('tr') as HTMLElement;

test('a tunnel says who, where, how, from where and how much', async () => {
  open([makeTunnel()]);
  const row = await rowOf('ivan@example.com');
  for (const text of ['A1B2C3D4', 'Terminal', '192.0.2.7', /^Sent 1\.5\s\S+, received 0\sB$/]) {
    expect(within(row).getByText(text)).toBeTruthy();
  }
  expect(within(row).getByRole('link').getAttribute('href')).toBe(
    `/organizations/${organization.id}/controllers/A1B2C3D4`,
  );
});

test('a named endpoint is told by its port, in Russian as well', async () => {
  open([makeTunnel({ kind: 'http', port: 8080 })], { locale: 'ru' });
  await screen.findByText('Сервис на порту 8080');
});

test('an admin ends one after a question, and the list is asked anew', async () => {
  const tunnels = [makeTunnel()];
  const { callsOf } = open(tunnels, {
    answers: {
      endTunnel: () => {
        tunnels.pop();
        return undefined;
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'End connection: ivan@example.com, A1B2C3D4' }));
  await screen.findByText(/breaks off at once/);
  expect(callsOf('endTunnel')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'End connection' }));
  await screen.findByText('Connection ended');
  await screen.findByText('Nobody is connected now');
  expect(callsOf('endTunnel')[0]?.params.tunnelId).toBe(makeTunnel().id);
});

test('the focus passes to the next tunnel when one has ended, and to the page after the last', async () => {
  const tunnels = ['one', 'two', 'three'].map((id) =>
    makeTunnel({ id, user: { id: organization.id, email: `${id}@example.com` } }),
  );
  open(tunnels, {
    answers: {
      endTunnel: ({ params }) => {
        const index = tunnels.findIndex(({ id }) => id === params.tunnelId);
        tunnels.splice(index, 1);
        return undefined;
      },
    },
  });
  const nameOf = (id: string) => `End connection: ${id}@example.com, A1B2C3D4`;
  const end = async (id: string) => {
    fireEvent.click(await screen.findByRole('button', { name: nameOf(id) }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByRole('button', { name: 'End connection' }));
    await waitFor(() => expect(screen.queryByText(`${id}@example.com`, { selector: 'th' })).toBeNull());
  };
  await end('two');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(nameOf('three')));
  await end('three');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(nameOf('one')));
  await end('one');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

test('one that has ended meanwhile is told and goes', async () => {
  const tunnels = [makeTunnel()];
  open(tunnels, {
    answers: {
      endTunnel: () => {
        tunnels.pop();
        return refuse(404, 'tunnel_not_found');
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: /^End connection:/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'End connection' }));
  await screen.findByText('Nobody is connected now');
});

test('a member sees them, without another’s address, and why they cannot end one', async () => {
  const { callsOf } = open([makeTunnel({ address: null })], { role: 'member' });
  const row = await rowOf('ivan@example.com');
  expect(within(row).getByText('—')).toBeTruthy();
  const button = screen.getByRole('button', { name: /^End connection:/ });
  expect(button.getAttribute('aria-disabled') ?? button.getAttribute('data-disabled')).toBeTruthy();
  fireEvent.click(button);
  expect(callsOf('endTunnel')).toEqual([]);
});

test('a viewer is told for whom they are, and nothing is asked', async () => {
  const { callsOf } = open([makeTunnel()], { role: 'viewer' });
  await screen.findByText('Connections are for members, admins and owners');
  expect(callsOf('listTunnels')).toEqual([]);
});

test('the history says why each ended, and by whom', async () => {
  open([
    makeTunnel({ id: organization.id, endedAt: '2025-11-20T10:00:00Z', endReason: 'role_changed' }),
    makeTunnel({
      user: null,
      endedAt: '2025-11-20T10:00:00Z',
      endReason: 'ended_by_admin',
      endedBy: { id: organization.id, email: 'anna@example.com' },
    }),
  ]);
  fireEvent.click(await screen.findByRole('radio', { name: 'History' }));
  await screen.findByText('The role changed');
  await screen.findByText('Ended by anna@example.com');
  await screen.findByText('account deleted');
  expect(screen.queryByRole('button', { name: /^End connection:/ })).toBeNull();
});

test('the address keeps what is shown: from a controller one comes back to the history', async () => {
  const { router } = open([makeTunnel({ endedAt: '2025-11-20T10:00:00Z', endReason: 'idle' })]);
  fireEvent.click(await screen.findByRole('radio', { name: 'History' }));
  fireEvent.click(await screen.findByRole('link', { name: 'A1B2C3D4' }));
  await waitFor(() => expect(router.state.location.pathname).toMatch(/A1B2C3D4$/));
  router.history.back();
  await screen.findByRole('table', { name: 'Ended connections' });
  expect(router.state.location.search).toEqual({ state: 'ended' });
});

test('a list that could not be loaded is offered again', async () => {
  let isFailing = true;
  open([], {
    answers: {
      listTunnels: () =>
        isFailing
          ? refuse(400, 'invalid_request')
          : { count: 1, next: null, previous: null, results: [makeTunnel()] },
    },
  });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isFailing = false;
  fireEvent.click(retry);
  await waitFor(() => expect(screen.getByRole('table')).toBeTruthy());
});
