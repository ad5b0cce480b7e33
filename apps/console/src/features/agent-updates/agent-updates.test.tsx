import type { AgentUpdate, AgentUpdateState } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { asRole, makeController, organization, pageOf } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const list = `/organizations/${organization.id}/controllers`;
const settings = `${list}/A1B2C3D4?tab=settings`;

function makeUpdate(changes: Partial<AgentUpdate> = {}): AgentUpdate {
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8059',
    status: 'waiting',
    reason: null,
    detail: null,
    fromVersion: '0.1.0',
    toVersion: '0.2.0',
    created: '2025-11-20T09:40:00Z',
    finished: null,
    requestedBy: null,
    ...changes,
  };
}
const older = (latest: AgentUpdate | null = null): AgentUpdateState => ({
  available: '0.2.0',
  comparison: 'older',
  latest,
});
const section = async (name = 'Agent') => within(await screen.findByRole('region', { name }));

describe('the agent of a controller', () => {
  it('the agent is updated to the version of the server, and its state follows the events', async () => {
    let state = older();
    const { callsOf, emit } = renderConsole(settings, {
      answers: {
        getAgentUpdate: () => state,
        requestAgentUpdate: () => {
          state = older(makeUpdate());
          return state;
        },
      },
    });
    const agent = await section();
    fireEvent.click(await agent.findByRole('button', { name: 'Update to 0.2.0' }));
    expect(await agent.findByText(/^The update to 0\.2\.0 waits for the controller/)).toBeTruthy();
    expect(callsOf('requestAgentUpdate').map(({ body }) => body)).toEqual([{}]);
    const finished = '2025-11-20T09:41:00Z';
    state = { available: '0.2.0', comparison: 'same', latest: makeUpdate({ status: 'done', finished }) };
    emit({ type: 'controller.updated', serialNumber: 'A1B2C3D4' });
    expect(await agent.findByText('Updated to 0.2.0.')).toBeTruthy();
    expect(agent.queryByRole('button')).toBeNull();
  });

  it.each([
    [
      'en',
      'Agent',
      'Version 0.2.0 did not connect, the one before it runs.',
      'The agent says: <b>no</b> board',
    ],
    [
      'ru',
      'Агент',
      'Версия 0.2.0 не выходила на связь, работает прежняя.',
      'Агент сообщает: <b>no</b> board',
    ],
  ] as const)(
    'a return is told with the words of the agent, as plain text (%s)',
    async (locale, name, text, words) => {
      const finished = '2025-11-20T09:41:00Z';
      const returned = makeUpdate({ status: 'returned', detail: '<b>no</b> board', finished });
      renderConsole(settings, { locale, answers: { getAgentUpdate: () => older(returned) } });
      const agent = await section(name);
      expect(await agent.findByText(text)).toBeTruthy();
      expect(agent.getByText(words)).toBeTruthy();
    },
  );

  it('an older version than that of the agent is asked for by name', async () => {
    const newer: AgentUpdateState = { available: '0.0.9', comparison: 'newer', latest: null };
    const { callsOf } = renderConsole(settings, {
      answers: { getAgentUpdate: () => newer, requestAgentUpdate: () => newer },
    });
    fireEvent.click(await (await section()).findByRole('button', { name: 'Go back to version 0.0.9' }));
    await waitFor(() =>
      expect(callsOf('requestAgentUpdate').map(({ body }) => body)).toEqual([{ mayDowngrade: true }]),
    );
  });

  it('a viewer sees why the agent is not theirs to update', async () => {
    renderConsole(settings, { answers: { ...asRole('viewer'), getAgentUpdate: () => older() } });
    const button = await (await section()).findByRole('button', { name: 'Update to 0.2.0' });
    expect(button.hasAttribute('disabled') || button.getAttribute('aria-disabled') === 'true').toBe(true);
  });

  it('a controller without an agent says so', async () => {
    const getController = () => makeController({ connectionKind: 'ssh' });
    const { callsOf } = renderConsole(settings, { answers: { getController } });
    expect(await (await section()).findByText(/There is no agent on the device/)).toBeTruthy();
    expect(callsOf('getAgentUpdate')).toEqual([]);
  });
});

it('the agents of the selected controllers are updated together', async () => {
  const rows = ['PUMP0001', 'PUMP0002'].map((serialNumber) => makeController({ serialNumber }));
  const { callsOf } = renderConsole(list, {
    answers: {
      listControllers: () => pageOf(...rows),
      requestAgentUpdates: () => ({ count: 1, skipped: 1 }),
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all on the page' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Update agents' }));
  expect(await screen.findByText('1 agent is being updated')).toBeTruthy();
  expect(callsOf('requestAgentUpdates').map(({ body }) => body)).toEqual([
    { controllers: ['PUMP0001', 'PUMP0002'] },
  ]);
});

describe('updates of agents in the list', () => {
  const update = (status: 'waiting' | 'failed') => ({ status, reason: null, toVersion: '0.2.0' });
  const failed = makeController({ serialNumber: 'PUMP0001', agentUpdate: update('failed') });
  const waiting = makeController({ serialNumber: 'PUMP0002', agentUpdate: update('waiting') });

  it('the list of controllers has a sign beside the version of an agent whose update failed or is under way', async () => {
    renderConsole(list, { answers: { listControllers: () => pageOf(failed, waiting) } });
    expect(await screen.findByRole('img', { name: 'Update to 0.2.0 failed' })).toBeTruthy();
    expect(screen.getByRole('img', { name: 'Update to 0.2.0 waits for the link' })).toBeTruthy();
  });

  it('the list of controllers is narrowed to the agents that could not be updated', async () => {
    const { callsOf, address } = renderConsole(list, { answers: { listControllers: () => pageOf(failed) } });
    fireEvent.click(await screen.findByRole('button', { name: 'Filters' }));
    fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Failed' }));
    await waitFor(() => expect(address()).toContain('agent_update='));
    await waitFor(() =>
      expect(callsOf('listControllers').at(-1)?.query).toMatchObject({ agent_update: 'returned,failed' }),
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Do not filter by agent update' }));
    await waitFor(() => expect(address()).not.toContain('agent_update='));
  });
});

it.each([
  ['en', 'Version 0.2.0 did not connect, the one before it runs'],
  ['ru', 'Версия 0.2.0 не вышла на связь, работает прежняя'],
] as const)(
  'the details of a controller say that its agent went back, and lead to why (%s)',
  async (locale, text) => {
    const agentUpdate = { status: 'returned', reason: null, toVersion: '0.2.0' } as const;
    const getController = () => makeController({ agentUpdate });
    renderConsole(`${list}/A1B2C3D4`, { locale, answers: { getController } });
    const link = await screen.findByRole('link', { name: text });
    expect(link.getAttribute('href')).toBe(settings);
  },
);
