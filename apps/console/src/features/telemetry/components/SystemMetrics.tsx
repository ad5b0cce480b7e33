import { type ComponentProps, lazy, Suspense } from 'react';
import { loadPart } from '../../../shared/page/load-part.ts';
import type { ControllerCharts as Charts } from './ControllerCharts.tsx';
import classes from './system-metrics.module.css';

const ControllerCharts = lazy(async () => {
  const part = await loadPart(() => import('./ControllerCharts.tsx'));
  return { default: part.ControllerCharts };
});

/** The charts of a controller, loaded when they are first looked at. */
export function SystemMetrics(props: ComponentProps<typeof Charts>) {
  return (
    <Suspense fallback={<div className={classes.charts} />}>
      <ControllerCharts {...props} />
    </Suspense>
  );
}
