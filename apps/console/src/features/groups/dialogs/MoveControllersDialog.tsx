import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { useAttachControllers } from '../queries.ts';
import { readRefusal } from '../read-refusal.ts';
import { ChooseGroupDialog } from './ChooseGroupDialog.tsx';

interface Props {
  opened: boolean;
  organizationId: string;
  serialNumbers: readonly string[];
  onMoved: () => void;
  onClose: () => void;
}

/** Puts the controllers into a group that is asked for: all of them, or none. */
export function MoveControllersDialog({ opened, organizationId, serialNumbers, onMoved, onClose }: Props) {
  const { t } = useTranslation('groups');
  const { formatNumber } = useFormat();
  const attachment = useAttachControllers();
  const controllers = [...serialNumbers];
  const submit = async (groupId: string | null) => {
    if (groupId === null) return undefined;
    try {
      const { count } = await attachment.mutateAsync({ groupId, controllers });
      showToast({ severity: 'success', summary: t('attached', { count, formatted: formatNumber(count) }) });
    } catch (error) {
      return readRefusal(error);
    }
    onMoved();
    return undefined;
  };
  const count = controllers.length;
  return (
    <ChooseGroupDialog
      opened={opened}
      title={t('attachTitle', { count, formatted: formatNumber(count) })}
      organizationId={organizationId}
      submitLabel={t('move')}
      isPending={attachment.isPending}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
