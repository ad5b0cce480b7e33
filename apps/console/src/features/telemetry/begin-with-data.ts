import type { Series } from '../../shared/charts/series.ts';
import type { TimeWindow } from '../../shared/charts/time-search.ts';

export interface Chart {
  shown: TimeWindow;
  series: Series;
}

/** Less than this is no period to look at. */
const shortestMs = 10 * 60_000;

/**
 * The charts of a controller that was added within their period begin with its first measurement, all at the same time:
 * before it there was nothing that could have been measured. Undefined are those that are still loaded.
 */
export function beginWithData(
  charts: readonly (Chart | undefined)[],
  activatedAt: number,
): (Chart | undefined)[] {
  const firsts = charts.flatMap((chart) => chart?.series.times[0] ?? []);
  const first = Math.min(...firsts);
  return charts.map((chart) => {
    if (!chart || activatedAt <= chart.shown.start || firsts.length === 0) return chart;
    const { start, stop } = chart.shown;
    return { ...chart, shown: { start: Math.max(start, Math.min(first, stop - shortestMs)), stop } };
  });
}
