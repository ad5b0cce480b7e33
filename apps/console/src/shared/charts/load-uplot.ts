import { loadPart } from '../page/load-part.ts';

/** The drawing of charts, loaded with the first one that is shown. */
export async function loadUplot() {
  const [{ default: Plot }] = await loadPart(() =>
    Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]),
  );
  return Plot;
}
