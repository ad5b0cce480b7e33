import type { ControllerHistory, ControllerHistoryRequest, LastMqttData, MqttControl } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { organization, refuse } from '../testing/fake-api.ts';
import { FakeUplot } from '../testing/fake-uplot.ts';
import { renderConsole } from '../testing/render-console.tsx';

afterEach(() => {
  FakeUplot.open = [];
});

// As the console asks.
const bodyOf = (call: { body: unknown } | undefined) => call?.body as ControllerHistoryRequest;

const tab = `/organizations/${organization.id}/controllers/A1B2C3D4?tab=data`;
const open = `${tab}&history=boiler%2Fsupply`;
const updatedAt = '2025-11-20T09:40:00Z';

const control = (changes: Partial<MqttControl> = {}): MqttControl => ({
  id: 'supply',
  title: 'Supply',
  type: 'temperature',
  value: '61.5',
  units: 'deg C',
  updatedAt,
  ...changes,
});
const data: LastMqttData = {
  receivedAt: updatedAt,
  devices: [
    {
      id: 'boiler',
      title: 'Boiler',
      controls: [
        control(),
        control({ id: 'pump', title: 'Pump', type: 'switch', value: '1', units: null }),
        control({ id: 'name', title: 'Name', type: 'text', value: 'x', units: null }),
      ],
    },
  ],
};

const history =
  (values: readonly number[], resolution = 120) =>
  ({ body }: { body?: unknown }): ControllerHistory => {
    const { controls, start } = body as ControllerHistoryRequest; // as the console asks
    const points = values.map((value, index) => ({
      timestamp: new Date(Date.parse(start) + index * resolution * 1000).toISOString(),
      min: value - 1,
      mean: value,
      max: value + 1,
      last: value,
    }));
    return { resolution, series: controls.map((each) => ({ ...each, points })) };
  };

it('a click on a control opens the chart of its last day, in the units of the control', async () => {
  const { callsOf } = renderConsole(tab, {
    answers: { getLastMqttData: () => data, queryControllerHistory: history([60, 62.5]) },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Show the history of Supply' }));
  const dialog = await screen.findByRole('dialog', { name: 'Boiler · Supply' });
  await within(dialog).findByText('62.5 °C');
  within(dialog).getByText('min 59 °C · max 63.5 °C');
  within(dialog).getByText(/A point is 2 minutes\. The line is the mean/);
  const { controls, start, stop } = bodyOf(callsOf('queryControllerHistory')[0]);
  expect(controls).toEqual([{ device: 'boiler', control: 'supply' }]);
  expect(Date.parse(stop) - Date.parse(start)).toBe(24 * 3600_000);
});

it('a link opens the history of a control, and another period is asked for', async () => {
  const { callsOf } = renderConsole(`${open}&history_period=7d`, {
    locale: 'ru',
    answers: { getLastMqttData: () => data, queryControllerHistory: history([60], 360) },
  });
  const dialog = await screen.findByRole('dialog', { name: 'Boiler · Supply' });
  await within(dialog).findByText(/Точка графика — 6 минут\./);
  fireEvent.click(within(dialog).getByRole('radio', { name: 'Год' }));
  await waitFor(() => {
    const { start, stop } = bodyOf(callsOf('queryControllerHistory').at(-1));
    expect(Date.parse(stop) - Date.parse(start)).toBe(365 * 24 * 3600_000);
  });
});

it('a part of time that a link names is shown, and the whole period again', async () => {
  const [from, to] = [Date.parse('2025-11-20T08:00:00Z'), Date.parse('2025-11-20T09:00:00Z')];
  const { callsOf } = renderConsole(`${open}&history_from=${from}&history_to=${to}`, {
    answers: { getLastMqttData: () => data, queryControllerHistory: history([60]) },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Show the whole period' }));
  await waitFor(() => expect(callsOf('queryControllerHistory')).toHaveLength(2));
  expect(bodyOf(callsOf('queryControllerHistory')[0])).toMatchObject({
    start: '2025-11-20T08:00:00.000Z',
    stop: '2025-11-20T09:00:00.000Z',
  });
});

it('a drag over the chart shows that part of time, and a click does not', async () => {
  const { address, callsOf } = renderConsole(open, {
    answers: { getLastMqttData: () => data, queryControllerHistory: history([60, 61]) },
  });
  await screen.findByRole('slider', { name: 'Supply' });
  await waitFor(() => FakeUplot.of('Supply'));
  FakeUplot.of('Supply').drag(1_763_600_000_000, 1_763_600_000_003);
  expect(address()).not.toContain('history_from');
  FakeUplot.of('Supply').drag(1_763_600_000_000, 1_763_607_200_000);
  await waitFor(() => expect(callsOf('queryControllerHistory')).toHaveLength(2));
  expect(address()).toContain('history_from=1763600000000&history_to=1763607200000');
});

it('a switch is shown in words, over a long period by the share of time it was on', async () => {
  renderConsole(`${tab}&history=boiler%2Fpump`, {
    answers: {
      getLastMqttData: () => data,
      queryControllerHistory: (call) =>
        // A month is asked for by half hours.
        history([call.body && isMonth(call.body) ? 0.25 : 1], isMonth(call.body) ? 1800 : 120)(call),
    },
  });
  const dialog = await screen.findByRole('dialog', { name: 'Boiler · Pump' });
  await waitFor(() => expect(dialog.textContent).toContain('lastOn'));
  fireEvent.click(within(dialog).getByRole('radio', { name: '30 d' }));
  await within(dialog).findByText('Pump: share of the time it was on');
  await waitFor(() => expect(dialog.textContent).toContain('25%'));
});

function isMonth(body: unknown): boolean {
  const { start, stop } = body as ControllerHistoryRequest; // as the console asks
  return Date.parse(stop) - Date.parse(start) > 20 * 24 * 3600_000;
}

it('a text has no history to open, and a link to it opens none', async () => {
  const { callsOf } = renderConsole(`${tab}&history=boiler%2Fname`, {
    answers: { getLastMqttData: () => data },
  });
  await screen.findByText('Name');
  expect(screen.queryByRole('button', { name: 'Show the history of Name' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(callsOf('queryControllerHistory')).toEqual([]);
});

it('a history that is empty says so, and one that cannot be loaded can be asked for again', async () => {
  let isBroken = true;
  renderConsole(open, {
    answers: {
      getLastMqttData: () => data,
      queryControllerHistory: (call) => (isBroken ? refuse(500, 'internal_error') : history([])(call)),
    },
  });
  expect(await screen.findByText('Could not load the history')).toBeTruthy();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: /again|retry/i }));
  expect(await screen.findByText('No history in this period')).toBeTruthy();
});
