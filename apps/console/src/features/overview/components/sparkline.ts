import type { FleetPresence } from '@pult/contract';
import { withGaps } from '../../../shared/charts/series.ts';
import type { TimeWindow } from '../../../shared/charts/time-search.ts';

/** What lies under the lowest point, as a part of the height: a line on the very edge looks cut. */
const floor = 0.12;

/** A line of how many were online, and what lies under it, as paths of a square of 100: from a little below the fewest up to all. */
export function drawSparkline(points: FleetPresence, { start, stop }: TimeWindow) {
  const { times, values } = withGaps({
    times: points.map(({ timestamp }) => Date.parse(timestamp)),
    values: [points.map(({ online }) => online)],
  });
  const top = Math.max(1, ...points.map(({ total }) => total));
  const low = Math.min(top, ...points.map(({ online }) => online));
  const bottom = Math.max(0, low - Math.max(1, (top - low) * floor));
  const place = (value: number) => Math.round(10 * (4 + (96 * (top - value)) / (top - bottom))) / 10;
  const at = (time: number) => Math.round((1000 * (time - start)) / (stop - start)) / 10;

  // Each stretch between gaps by itself.
  const stretches: [number, number][][] = [];
  let isOpen = false;
  times.forEach((time, index) => {
    const value = values[0]?.[index];
    if (value === null || value === undefined) {
      isOpen = false;
      return;
    }
    if (!isOpen) stretches.push([]);
    isOpen = true;
    stretches.at(-1)?.push([Math.min(100, Math.max(0, at(time))), place(value)]);
  });
  const curve = (stretch: [number, number][]) => stretch.map(([x, y]) => `${x} ${y}`).join('L');
  return {
    line: stretches.map((stretch) => `M${curve(stretch)}${stretch.length === 1 ? 'h0.5' : ''}`).join(''),
    area: stretches
      .map((stretch) => `M${stretch[0]?.[0]} 100L${curve(stretch)}L${stretch.at(-1)?.[0]} 100Z`)
      .join(''),
  };
}
