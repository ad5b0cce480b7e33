import { Button, CloseButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { useIsAllowed } from '../../../shared/api/permissions.ts';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { showToast } from '../../../shared/toasts/show-toast.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import { MoveControllersDialog, readRefusal, useDetachControllers } from '../../groups/index.ts';
import classes from './selection-bar.module.css';

interface Props {
  organizationId: string;
  serialNumbers: readonly string[];
  onClear: () => void;
}

/** What can be done with the selected controllers. Lies over the end of the list, so that no row moves. */
export function SelectionBar({ organizationId, serialNumbers, onClear }: Props) {
  const { t } = useTranslation(['controllers', 'shared']);
  const { formatNumber } = useFormat();
  const [opened, dialog] = useDisclosure();
  const detachment = useDetachControllers();
  const mayMove = useIsAllowed(organizationId, 'groups.attach');
  const reason = mayMove
    ? undefined
    : t('roleTooWeak', { ns: 'shared', role: t('role.member', { ns: 'shared' }) });
  const count = serialNumbers.length;
  const detach = () =>
    detachment.mutate([...serialNumbers], {
      onSuccess: ({ count: moved }) => {
        const summary = t('selection.detached', { count: moved, formatted: formatNumber(moved) });
        showToast({ severity: 'success', summary });
        onClear();
      },
      onError: async (error) => {
        const summary = await readRefusal(error);
        if (summary !== undefined) showToast({ severity: 'error', summary });
      },
    });
  return (
    <section className={classes.bar} aria-label={t('selection.label')}>
      <span className={classes.count} role="status">
        {t('selection.count', { count, formatted: formatNumber(count) })}
      </span>
      <DisabledReason reason={reason}>
        <Button size="xs" onClick={dialog.open}>
          {t('selection.move')}
        </Button>
      </DisabledReason>
      <DisabledReason reason={reason}>
        <Button size="xs" variant="default" loading={detachment.isPending} onClick={detach}>
          {t('selection.detach')}
        </Button>
      </DisabledReason>
      <CloseButton aria-label={t('selection.clear')} onClick={onClear} />
      <MoveControllersDialog
        opened={opened}
        organizationId={organizationId}
        serialNumbers={serialNumbers}
        onClose={dialog.close}
        onMoved={() => {
          dialog.close();
          onClear();
        }}
      />
    </section>
  );
}
