import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FakeUplot } from '../../features/testing/fake-uplot.ts';
import { renderPart } from '../testing/render-part.tsx';
import { Toasts } from '../toasts/Toasts.tsx';
import { ChartPanel } from './ChartPanel.tsx';

afterEach(() => {
  FakeUplot.open = [];
});

const minute = 60_000;
const start = new Date(2026, 0, 5, 12).getTime();
const shown = { start, stop: start + 3 * minute };
const times = [0, 1, 2].map((count) => start + count * minute);
const cpu = { label: 'CPU', color: 'main' } as const;
const limit = { label: 'Limit', color: 'quiet', isDashed: true } as const;

function show(
  values: (number | null)[][] | undefined,
  lines: Parameters<typeof ChartPanel>[0]['lines'] = [cpu],
) {
  const content = values && { series: { times, values }, shown };
  renderPart(
    <>
      <Toasts label="Notifications" />
      <ChartPanel
        title="CPU usage"
        subject="Boiler / A1"
        unit="percent"
        lines={lines}
        content={content}
        empty="Nothing was measured"
        group="cpu"
      />
    </>,
  );
  return {
    slider: () => screen.findByRole('slider', { name: 'CPU usage' }),
    legend: () => [...screen.getByRole('list').children].map(({ textContent }) => textContent),
    save: () => fireEvent.click(screen.getByRole('button', { name: 'Save the chart “CPU usage” as PNG' })),
  };
}

test('a chart of one line is told in words: its last, lowest and highest value', async () => {
  const { slider, legend } = show([[10, 30, 20]]);
  expect((await slider()).getAttribute('aria-valuetext')).toBe('last value 20%, minimum 10%, maximum 30%');
  expect(legend()).toEqual(['last20%min 10% · max 30%']);
});

test('a chart of several lines names each, and says nothing of one that was not measured', async () => {
  const { slider, legend } = show(
    [
      [10, 30, 20],
      [null, null, null],
    ],
    [cpu, limit],
  );
  expect((await slider()).getAttribute('aria-valuetext')).toBe(
    'CPU last value 20%, minimum 10%, maximum 30%',
  );
  expect(legend()).toEqual(['CPU20%min 10% · max 30%', 'Limit']);
});

test('a chart by keyboard tells the point under the cursor, and a dash where a line has none', async () => {
  const { slider, legend } = show(
    [
      [10, 30, 20],
      [40, null, 40],
    ],
    [cpu, limit],
  );
  const chart = await slider();
  await waitFor(() => FakeUplot.of('CPU'));
  fireEvent.keyDown(chart, { key: 'Home' });
  await waitFor(() => expect(chart.getAttribute('aria-valuetext')).toBe('5 Jan, 12:00; CPU 10%; Limit 40%'));
  expect(chart.getAttribute('aria-valuenow')).toBe('0');
  fireEvent.keyDown(chart, { key: 'ArrowRight' });
  await waitFor(() => expect(chart.getAttribute('aria-valuetext')).toBe('5 Jan, 12:01; CPU 30%; Limit –'));
  expect(legend()).toEqual(['CPU30%min 10% · max 30%', 'Limit–min 40% · max 40%']);
});

test('a chart without a value says so in its place, and is no picture to take along', () => {
  show([[null, null, null]]);
  expect(screen.getByRole('figure', { name: 'CPU usage' }).textContent).toContain('Nothing was measured');
  expect(screen.queryByRole('button')).toBeNull();
});

test('a chart that is still loaded says nothing yet', () => {
  show(undefined);
  expect(screen.getByRole('figure').textContent).toBe('CPU usage');
});

test('a chart is taken along as a picture with its subject, time and figures, under a name of its own', async () => {
  const { slider, save } = show(
    [
      [10, 30, 20],
      [null, null, null],
    ],
    [cpu, limit],
  );
  await slider();
  await waitFor(() => FakeUplot.of('CPU'));
  const written: string[] = [];
  const context = {
    fillRect: () => undefined,
    drawImage: () => undefined,
    scale: () => undefined,
    fillText: (text: string) => void written.push(text),
  };
  // Of a canvas the picture needs nothing else.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((tell) => tell(new Blob(['png'])));
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  save();
  await waitFor(() => expect(saved).toEqual(['boiler-a1-cpu-usage.png']));
  expect(written).toEqual([
    'CPU usage',
    'Boiler / A1 · 5 Jan, 12:00 – 5 Jan, 12:03',
    'CPU   last 20% · min 10% · max 30%',
    'Limit   –',
  ]);
});

test('a picture of a chart that the browser does not make is told as an error', async () => {
  const { slider, save } = show([[10, 30, 20]]);
  await slider();
  await waitFor(() => FakeUplot.of('CPU'));
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((tell) => tell(null));
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click');
  save();
  await screen.findByText('Could not save the picture');
  expect(click).not.toHaveBeenCalled();
});
