import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import type { BulkMoves } from '../use-bulk-move.ts';

/** Asks before very many controllers are moved by one press or drop. */
export function ConfirmMove({ moves: { asked, begin, cancel } }: { moves: BulkMoves }) {
  const { t } = useTranslation('groups');
  const { formatNumber } = useFormat();
  if (!asked) return null;
  const { target, count } = asked;
  const formatted = formatNumber(count);
  return (
    <ConfirmDialog
      opened
      isDestructive={false}
      title={
        target
          ? t('attachAsk', { count, formatted, name: target.name })
          : t('detachAsk', { count, formatted })
      }
      confirmLabel={target ? t('move') : t('detachConfirm')}
      onConfirm={() => begin(asked)}
      onClose={cancel}
    >
      {target ? t('attachAskText') : t('detachAskText')}
    </ConfirmDialog>
  );
}
