import type { FleetMetrics, WorstControllers } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Answers, organization, refuse } from '../testing/fake-api.ts';
import { FakeUplot } from '../testing/fake-uplot.ts';
import { renderConsole } from '../testing/render-console.tsx';

afterEach(() => {
  FakeUplot.open = [];
});

const page = `/organizations/${organization.id}/monitoring`;
const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const figures: FleetMetrics = [10, 5].map((minutes) => ({
  timestamp: at(minutes),
  controllers: 3,
  lowest: 1,
  median: 5,
  highest: 9,
}));
const worst: WorstControllers = [
  { serialNumber: 'HOT1', description: 'Boiler <b>', status: 'online', value: 91.5 },
  { serialNumber: 'HOT2', description: '', status: 'offline', value: 80 },
];
const fleet: Answers = {
  queryFleetPresence: () => [10, 9].map((minutes) => ({ timestamp: at(minutes), online: 2, total: 3 })),
  queryFleetMetrics: () => figures,
  listWorstControllers: () => worst,
  querySystemMetrics: () => [{ timestamp: at(3), value: 20 }],
};
const open = (address = page, options: Parameters<typeof renderConsole>[1] = {}) =>
  renderConsole(address, { ...options, answers: { ...fleet, ...options.answers } });
const chart = (name: string) => screen.findByRole('slider', { name });

describe('the monitoring page', () => {
  // spec: 1.11
  it('shows who was online, and the spread of a figure over the fleet', async () => {
    open();
    expect((await chart('Controllers online')).getAttribute('aria-valuetext')).toContain(
      'Online last value 2',
    );
    await waitFor(() => expect(FakeUplot.open).toHaveLength(2));
    expect(FakeUplot.of('Median').data.slice(1)).toEqual([
      [5, 5],
      [9, 9],
      [1, 1],
    ]);
    expect(document.title).toBe('Monitoring · Boiler Works · Pult');
  });

  it('takes the lowest for the worst where little is bad, and keeps the figure in the address', async () => {
    const { address, callsOf } = open(`${page}?metric=mem_available`);
    await chart('Memory available');
    await waitFor(() => expect(FakeUplot.open).toHaveLength(2));
    expect(FakeUplot.of('Worst').data.slice(2)).toEqual([
      [1, 1],
      [9, 9],
    ]);
    expect(callsOf('listWorstControllers')[0]?.query).toEqual({ name: 'mem_available' });
    fireEvent.click(screen.getByRole('combobox', { name: 'Metric' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Temperature', hidden: true }));
    await chart('Temperature');
    expect(address()).toBe(`${page}?metric=temperature`);
  });

  it('leads to the worst controllers, worst first', async () => {
    open();
    const table = await screen.findByRole('table', { name: 'Worst now: CPU usage' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual(['HOT1Boiler <b>Online91.5%', 'HOT2Offline80%']);
    const link = within(table).getByRole('link', { name: 'HOT1' });
    expect(link.getAttribute('href')).toBe(`/organizations/${organization.id}/controllers/HOT1`);
  });

  it('shows one controller by the variable that Grafana’s dashboards have', async () => {
    const { address } = open(`${page}?var-controller=a1b2c3d4`);
    await chart('CPU usage');
    expect(screen.getAllByRole('slider')).toHaveLength(6);
    expect(screen.getByRole('link', { name: 'Open the controller' }).getAttribute('href')).toBe(
      `/organizations/${organization.id}/controllers/A1B2C3D4`,
    );
    fireEvent.click(screen.getByRole('combobox', { name: 'Controller' }));
    fireEvent.click(await screen.findByRole('option', { name: 'All controllers', hidden: true }));
    await chart('Controllers online');
    expect(address()).toBe(page);
  });

  it('says what is missing: history, figures, measurements of now', async () => {
    open(page, {
      locale: 'ru',
      answers: { queryFleetPresence: () => [], queryFleetMetrics: () => [], listWorstControllers: () => [] },
    });
    expect(await screen.findByText(/^Записей за этот период ещё нет/)).toBeTruthy();
    screen.getByText('За этот период ни один контроллер этого не передавал');
    await screen.findByText('За последние 15 минут ни один контроллер этого не передавал.');
  });

  it('says of a fleet without controllers what to do next', async () => {
    open(page, {
      answers: { countControllers: () => ({ count: 0, countOnline: 0, countOffline: 0, countNever: 0 }) },
    });
    expect(await screen.findByText('No controllers yet')).toBeTruthy();
    expect(screen.getAllByRole('link', { name: 'Add controller' }).length).toBeGreaterThan(1);
  });

  it('keeps the charts while the store of measurements cannot say who is worst', async () => {
    open(page, {
      answers: { listWorstControllers: () => refuse(400, 'metrics_unavailable', 'The store is down.') },
    });
    expect(await screen.findByText('Could not find out who is worst')).toBeTruthy();
    await screen.findByText('The store is down');
    await chart('Controllers online');
  });
});

describe('the way to the measurements', () => {
  const access = `${page}/open`;

  it('the way to the measurements is the built-in page where the server names it, with the controller’s variable', async () => {
    const { address } = open(`${access}?var-controller=A1B2C3D4`, {
      answers: { getGrafanaAccess: () => ({ grafanaUrl: `${window.location.origin}${page}` }) },
    });
    await chart('CPU usage');
    expect(address()).toBe(`${page}?var-controller=A1B2C3D4`);
    expect(screen.getByRole('link', { name: 'Monitoring' }).getAttribute('aria-current')).toBe('page');
  });

  // spec: 7.41
  it('leads out of the console to a Grafana elsewhere, with the variable appended', async () => {
    const left: string[] = [];
    vi.spyOn(window.location, 'replace').mockImplementation((url) => void left.push(String(url)));
    const grafanaUrl = 'https://grafana.example/d/pult/controllers?orgId=3';
    open(`${access}?var-controller=A1B2C3D4`, { answers: { getGrafanaAccess: () => ({ grafanaUrl }) } });
    await waitFor(() => expect(left).toEqual([`${grafanaUrl}&var-controller=A1B2C3D4`]));
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('the way to the measurements is told by a toast and replaced by the built-in page while Grafana is away', async () => {
    const { address } = open(access, {
      answers: { getGrafanaAccess: () => refuse(503, 'grafana_unavailable', 'Grafana does not answer.') },
    });
    await chart('Controllers online');
    await screen.findByText('Grafana does not answer');
    expect(address()).toBe(page);
  });
});
