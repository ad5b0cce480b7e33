import { type ComponentProps, lazy, Suspense } from 'react';
import { loadPart } from '../../../shared/page/load-part.ts';
import type { HistoryDialog as Dialog } from './HistoryDialog.tsx';

const HistoryDialog = lazy(async () => {
  const part = await loadPart(() => import('./HistoryDialog.tsx'));
  return { default: part.HistoryDialog };
});

/** What a control was, loaded when it is first looked at. */
export function ControlHistory(props: ComponentProps<typeof Dialog>) {
  return (
    <Suspense fallback={null}>
      <HistoryDialog {...props} />
    </Suspense>
  );
}
