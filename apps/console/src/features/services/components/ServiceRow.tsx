import { ActionIcon, Text } from '@mantine/core';
import type { Service } from '@pult/contract';
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs';
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs';
import { useTranslation } from 'react-i18next';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import classes from './services.module.css';

interface Props {
  service: Service;
  /** Why it cannot be changed. */
  reason: string | undefined;
  onEdit: () => void;
  onRemove: () => void;
}

export function ServiceRow({ service: { name, port, scheme }, reason, onEdit, onRemove }: Props) {
  const { t } = useTranslation('services');
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <bdi className={classes.name}>{name}</bdi>
        <Text component="span" size="sm" c="dimmed" className="tabular">
          {t('port', { port })}
          {scheme === 'https' && ', HTTPS'}
        </Text>
      </div>
      <DisabledReason reason={reason}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          onClick={onEdit}
          aria-label={t('editOne', { name })}
          title={reason ? undefined : t('edit')}
        >
          <IconPencil size={18} stroke={1.6} />
        </ActionIcon>
      </DisabledReason>
      <DisabledReason reason={reason}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          onClick={onRemove}
          aria-label={t('removeOne', { name })}
          title={reason ? undefined : t('remove')}
        >
          <IconTrash size={18} stroke={1.6} />
        </ActionIcon>
      </DisabledReason>
    </li>
  );
}
