import type { TunnelView } from '@pult/contract';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconPlugConnectedX } from '../../../shared/icons/IconPlugConnectedX.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { RowAction } from '../../../shared/ui/RowAction.tsx';
import { useEndTunnel } from './queries.ts';

interface Props {
  organizationId: string;
  tunnel: TunnelView;
  /** Why it cannot be done. */
  reason: string | undefined;
}

export function EndConnection({ organizationId, tunnel: { id, user, serialNumber }, reason }: Props) {
  const { t } = useTranslation('liveTunnels');
  const ending = useEndTunnel(organizationId);
  const names = { email: user?.email ?? t('nobody'), serialNumber };
  const place = useRef<HTMLSpanElement>(null);
  /** By whoever looks at the list, or meanwhile. */
  const isEnded = useRef(false);
  // Its row goes, and the focus with it: it passes to the next one.
  useLayoutEffect(() => {
    const row = place.current?.closest('tr');
    return () => {
      if (isEnded.current && row) focusNeighbour(row);
    };
  }, []);
  const ask = () =>
    confirm({
      title: t('endTitle'),
      text: t('endText', names),
      action: t('endConfirm'),
      run: async () => {
        isEnded.current = true;
        await ending.mutateAsync(id);
        showToast({ severity: 'success', summary: t('endDone'), details: names.email });
      },
    });
  return (
    <span ref={place}>
      <RowAction
        label={t('end', names)}
        icon={<IconPlugConnectedX size={18} stroke={1.75} />}
        reason={reason}
        onClick={ask}
      />
    </span>
  );
}

/** After the last one there is the page itself. */
function focusNeighbour(row: Element): void {
  const neighbour = row.nextElementSibling ?? row.previousElementSibling;
  const target = neighbour?.querySelector<HTMLElement>('button') ?? row.closest('main');
  // Once the row has gone.
  queueMicrotask(() => target?.focus());
}
