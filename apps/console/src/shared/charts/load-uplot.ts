import type uPlot from 'uplot';
import { loadPart } from '../page/load-part.ts';

let loading: Promise<typeof uPlot> | undefined;

async function load(): Promise<typeof uPlot> {
  const [{ default: Plot }] = await loadPart(() =>
    Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]),
  );
  return Plot;
}

/** The drawing of charts: loaded with the first one that is shown, once for all, and again after a failure. */
export function loadUplot(): Promise<typeof uPlot> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
