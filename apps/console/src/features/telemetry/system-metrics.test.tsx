import type { SystemMetrics } from '@pult/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeController, organization, refuse } from '../testing/fake-api.ts';
import { FakeUplot } from '../testing/fake-uplot.ts';
import { renderConsole } from '../testing/render-console.tsx';

afterEach(() => {
  FakeUplot.open = [];
});

const overview = `/organizations/${organization.id}/controllers/A1B2C3D4`;
const minute = 60_000;

/** The last three minutes; of each figure the same values. */
function measured(): SystemMetrics {
  const now = Math.floor(Date.now() / minute) * minute;
  return [10, 30, 20].map((value, index) => ({
    timestamp: new Date(now - (3 - index) * minute).toISOString(),
    value,
  }));
}
const open = (options: Parameters<typeof renderConsole>[1] = {}, search = '') =>
  renderConsole(overview + search, {
    ...options,
    answers: { querySystemMetrics: measured, ...options.answers },
  });
const bodyOf = (call: { body: unknown } | undefined) =>
  call?.body as { name: string; start: string; stop: string };
const chart = (name: string) => screen.findByRole('slider', { name });

describe('the charts of a controller', () => {
  // spec: 7.21
  it('show six figures of the last 24 hours, each told in words as well, and the uptime in words alone', async () => {
    const { callsOf } = open();
    expect((await chart('CPU usage')).getAttribute('aria-valuetext')).toBe(
      'last value 20%, minimum 10%, maximum 30%',
    );
    expect(screen.getAllByRole('slider')).toHaveLength(6);
    expect(screen.getByText(/^Running for /)).toBeTruthy();
    expect(screen.queryByRole('figure', { name: 'Uptime' })).toBeNull();
    const asked = callsOf('querySystemMetrics').map(bodyOf);
    expect(new Set(asked.map(({ name }) => name)).size).toBe(7);
    for (const { start, stop } of asked) {
      expect(Date.parse(stop) - Date.parse(start)).toBe(24 * 3600_000);
    }
    await waitFor(() => expect(FakeUplot.of('CPU usage').data[1]).toEqual([10, 30, 20]));
  });

  it.each([
    ['en', 'online', /^Running for 3[12] mins, since .*\. 2 restarts in this period\.$/],
    ['ru', 'online', /^Работает без перезапуска 3[12] мин: с .*\. За этот период перезапускался 2 раза\.$/],
    ['en', 'offline', /^2 restarts in this period\.$/],
  ] as const)('say in %s of a controller that is %s when it started', async (locale, status, text) => {
    const now = Math.floor(Date.now() / minute) * minute;
    /** Twelve hours up, then 100 minutes, then 31. */
    const uptimeAt = (minutesAgo: number) =>
      minutesAgo > 131 ? 12 * 60 + 180 - minutesAgo : (minutesAgo > 31 ? 131 : 31) - minutesAgo;
    const uptimes = Array.from({ length: 180 }, (_, index) => 180 - index).map((minutesAgo) => ({
      timestamp: new Date(now - minutesAgo * minute).toISOString(),
      // In the middle of its minute.
      value: uptimeAt(minutesAgo) * 60 + 30,
    }));
    open({
      locale,
      answers: {
        getController: () => makeController({ status }),
        querySystemMetrics: ({ body }) => (bodyOf({ body }).name === 'uptime' ? uptimes : measured()),
      },
    });
    const line = await screen.findByText(text);
    expect(line.textContent?.replace(/\s/g, ' ')).toMatch(text);
  });

  it('write numbers as the locale does', async () => {
    open({ locale: 'ru' });
    const text = (await chart('Загрузка процессора')).getAttribute('aria-valuetext') ?? '';
    expect(text.replace(/\s/g, ' ')).toBe('последнее значение 20 %, минимум 10 %, максимум 30 %');
  });

  it('take the period from the address, and put a chosen one there', async () => {
    const { callsOf, address } = open({}, '?range=7d&refresh=off');
    await chart('CPU usage');
    const length = () => {
      const { start, stop } = bodyOf(callsOf('querySystemMetrics').at(-1));
      return (Date.parse(stop) - Date.parse(start)) / 3600_000;
    };
    expect(length()).toBe(7 * 24);
    fireEvent.click(screen.getByRole('radio', { name: '1 h' }));
    await waitFor(() => expect(length()).toBe(1));
    expect(address()).toBe(`${overview}?range=1h&refresh=off`);
    fireEvent.click(screen.getByRole('radio', { name: '24 h' }));
    await waitFor(() => expect(address()).toBe(`${overview}?refresh=off`));
  });

  it('the charts of a controller are read by keyboard, point by point', async () => {
    open();
    const plot = await chart('CPU usage');
    await waitFor(() => expect(FakeUplot.open).toHaveLength(6));
    fireEvent.keyDown(plot, { key: 'Home' });
    expect(plot.getAttribute('aria-valuetext')).toMatch(/^\d+ \w+, \d\d:\d\d; 10%$/);
    fireEvent.keyDown(plot, { key: 'ArrowRight' });
    expect(plot.getAttribute('aria-valuetext')).toMatch(/; 30%$/);
    fireEvent.keyDown(plot, { key: 'End' });
    expect(plot.getAttribute('aria-valuetext')).toMatch(/; 20%$/);
    fireEvent.keyDown(plot, { key: 'ArrowLeft' });
    fireEvent.keyDown(plot, { key: 'Escape' });
    expect(plot.getAttribute('aria-valuetext')).toMatch(/^last value 20%/);
  });

  it('share one cursor', async () => {
    open();
    await waitFor(() => expect(FakeUplot.open).toHaveLength(6));
    const groups = FakeUplot.open.map(({ options }) => options.cursor?.sync?.key);
    expect(new Set(groups).size).toBe(1);
    expect(groups[0]).toBeTruthy();
  });

  it('the charts of a controller leave out what it does not measure, and say so in one line', async () => {
    open({
      answers: {
        querySystemMetrics: ({ body }) =>
          ['temperature', 'disk_free_data'].includes(bodyOf({ body }).name) ? [] : measured(),
      },
    });
    expect(
      await screen.findByText('No data in this period: Temperature, Free on the data partition.'),
    ).toBeTruthy();
    expect(screen.queryByRole('figure', { name: 'Temperature' })).toBeNull();
    expect(screen.getAllByRole('slider')).toHaveLength(4);
  });

  it.each([
    ['begin with the first measurement of a controller that is younger than the period', 5, 10],
    ['begin with the period where the controller is older', 48 * 60, 24 * 60],
  ])('the charts of a controller %s', async (_, minutesAgo, shownMinutes) => {
    const activatedAt = new Date(Date.now() - minutesAgo * minute).toISOString();
    open({ answers: { getController: () => makeController({ activatedAt }) } });
    await chart('CPU usage');
    await waitFor(() => expect(FakeUplot.open).toHaveLength(6));
    const { scales } = FakeUplot.of('CPU usage').options;
    const range = scales?.x?.range as unknown as () => [number, number];
    const [start, stop] = range();
    expect((stop - start) / minute).toBeCloseTo(shownMinutes, 0);
  });

  it.each([
    ['never', /has never been online/],
    ['offline', /^The controller has been offline since /],
    ['online', /is online but has reported no measurements/],
  ] as const)('say why there are none (%s)', async (status, text) => {
    renderConsole(`/organizations/${organization.id}/monitoring?var-controller=A1B2C3D4`, {
      answers: { querySystemMetrics: () => [], getController: () => makeController({ status }) },
    });
    expect(await screen.findByText('No data in this period')).toBeTruthy();
    screen.getByText(text);
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('say in the server’s words that the store is down, and come when it is back', async () => {
    let isDown = true;
    const detail = 'The store of measurements does not answer.';
    const { callsOf } = open({
      answers: {
        querySystemMetrics: () => (isDown ? refuse(503, 'metrics_unavailable', detail) : measured()),
      },
    });
    expect(await screen.findByText('Could not load the charts')).toBeTruthy();
    await screen.findByText(detail);
    // Each figure is tried three times: one that is still tried would come by itself.
    await waitFor(() => expect(callsOf('querySystemMetrics')).toHaveLength(21));
    // A server that says so is there: nothing waits for it, and then asks for all of the page anew.
    expect(screen.queryByText(/^No connection to the server/)).toBeNull();
    expect(callsOf('getController')).toHaveLength(1);
    isDown = false;
    fireEvent.click(await screen.findByRole('button', { name: /again|retry/i }));
    await chart('CPU usage');
  });

  it('stay when a refresh fails, and say so', async () => {
    let isDown = false;
    open({
      answers: {
        querySystemMetrics: () =>
          isDown ? refuse(400, 'metrics_unavailable', 'The store is down.') : measured(),
      },
    });
    await chart('CPU usage');
    isDown = true;
    fireEvent.click(screen.getByRole('button', { name: 'Refresh now' }));
    expect(await screen.findByText('Could not refresh: The store is down.')).toBeTruthy();
    expect(screen.getAllByRole('slider')).toHaveLength(6);
  });

  it('the charts of a controller are saved as a picture that is named after the controller and the figure', async () => {
    const saved: string[] = [];
    vi.stubGlobal(
      'URL',
      Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => {} }),
    );
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(new Blob(['png'])));
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    open();
    await chart('CPU usage');
    await waitFor(() => expect(FakeUplot.open).toHaveLength(6));
    fireEvent.click(screen.getByRole('button', { name: 'Save the chart “CPU usage” as PNG' }));
    await waitFor(() => expect(saved).toEqual(['a1b2c3d4-cpu-usage.png']));
  });
});
