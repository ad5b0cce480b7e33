import { Button } from '@mantine/core';
import { type Controller, isAllowed } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { confirm } from '../../../shared/ui/confirm.tsx';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';

interface Props {
  controller: Controller;
  onDelete: () => Promise<unknown>;
}

/** Nothing brings a deleted controller's data back: its serial number is asked for. */
export function DeleteController({ controller: { serialNumber, userRole }, onDelete }: Props) {
  const { t } = useTranslation(['controllers', 'shared']);
  const reason = isAllowed(userRole, 'controllers.delete')
    ? undefined
    : t('roleTooWeak.admin', { ns: 'shared' });
  const ask = () =>
    confirm({
      title: t('delete.confirmTitle', { serialNumber }),
      text: t('delete.text'),
      action: t('delete.confirm'),
      typedName: serialNumber,
      stays: true,
      run: onDelete,
    });
  return (
    <DisabledReason reason={reason}>
      <Button variant="outline" color="red" onClick={ask}>
        {t('delete.button')}
      </Button>
    </DisabledReason>
  );
}
