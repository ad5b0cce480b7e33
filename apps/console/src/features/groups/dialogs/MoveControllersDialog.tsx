import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import type { MoveTarget } from '../use-bulk-move.ts';
import { ChooseGroupDialog } from './ChooseGroupDialog.tsx';

interface Props {
  opened: boolean;
  organizationId: string;
  count: number;
  onChoose: (target: MoveTarget) => void;
  onClose: () => void;
}

/** Asks for the group that the controllers go to. */
export function MoveControllersDialog({ opened, organizationId, count, onChoose, onClose }: Props) {
  const { t } = useTranslation('groups');
  const { formatNumber } = useFormat();
  return (
    <ChooseGroupDialog
      opened={opened}
      title={t('attachTitle', { count, formatted: formatNumber(count) })}
      organizationId={organizationId}
      submitLabel={t('move')}
      isPending={false}
      onSubmit={async (target) => {
        onChoose(target);
        return undefined;
      }}
      onClose={onClose}
    />
  );
}
