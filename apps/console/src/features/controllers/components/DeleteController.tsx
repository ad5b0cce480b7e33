import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type Controller, isAllowed } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';

interface Props {
  controller: Controller;
  isPending: boolean;
  onDelete: () => void;
}

/** Nothing brings a deleted controller's data back: its serial number is asked for. */
export function DeleteController({ controller, isPending, onDelete }: Props) {
  const { t } = useTranslation(['controllers', 'shared']);
  const [opened, dialog] = useDisclosure();
  const { serialNumber, userRole } = controller;
  const reason = isAllowed(userRole, 'controllers.delete')
    ? undefined
    : t('roleTooWeak.admin', { ns: 'shared' });
  return (
    <Stack gap="sm" align="flex-start">
      <DisabledReason reason={reason}>
        <Button variant="outline" color="red" onClick={dialog.open}>
          {t('delete.button')}
        </Button>
      </DisabledReason>
      <ConfirmDialog
        opened={opened}
        title={t('delete.confirmTitle', { serialNumber })}
        confirmLabel={t('delete.confirm')}
        typedName={serialNumber}
        isPending={isPending}
        onConfirm={onDelete}
        onClose={dialog.close}
      >
        {t('delete.text')}
      </ConfirmDialog>
    </Stack>
  );
}
