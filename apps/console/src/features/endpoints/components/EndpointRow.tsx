import { ActionIcon, Text } from '@mantine/core';
import type { NamedEndpoint } from '@pult/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconPencil } from '../../../shared/icons/IconPencil.ts';
import { IconTrash } from '../../../shared/icons/IconTrash.ts';
import { DisabledReason } from '../../../shared/ui/DisabledReason.tsx';
import classes from './endpoints.module.css';

interface Props {
  endpoint: NamedEndpoint;
  /** Why it cannot be changed, and why it cannot be deleted. */
  reasons: { edit: string | undefined; remove: string | undefined };
  onEdit: () => void;
  onRemove: () => void;
}

export function EndpointRow({
  endpoint: { name, port, scheme, hostHeader, isReserved, oldTls },
  reasons,
  onEdit,
  onRemove,
}: Props) {
  const { t } = useTranslation('endpoints');
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <bdi className={classes.name}>{name}</bdi>
        <Text component="span" size="sm" c="dimmed" className="tabular">
          {t('port', { port })}
          {scheme === 'https' && ', HTTPS'}
          {hostHeader !== null && `, Host: ${hostHeader}`}
        </Text>
        {isReserved && (
          <Text size="sm" c="var(--pult-warning)" className={classes.warning ?? ''}>
            {t('reserved')}
          </Text>
        )}
        {oldTls && (
          <Text size="sm" c="var(--pult-warning)" className={classes.warning ?? ''}>
            {t('oldTls', { tls: oldTls })}
          </Text>
        )}
      </div>
      <RowAction
        label={t('editOne', { name })}
        title={t('edit')}
        icon={<IconPencil size={18} stroke={1.6} />}
        reason={reasons.edit}
        onClick={onEdit}
      />
      <RowAction
        label={t('removeOne', { name })}
        title={t('remove')}
        icon={<IconTrash size={18} stroke={1.6} />}
        reason={reasons.remove}
        onClick={onRemove}
      />
    </li>
  );
}

interface RowActionProps {
  label: string;
  title: string;
  icon: ReactNode;
  reason: string | undefined;
  onClick: () => void;
}

function RowAction({ label, title, icon, reason, onClick }: RowActionProps) {
  return (
    <DisabledReason reason={reason}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        onClick={onClick}
        aria-label={label}
        title={reason ? undefined : title}
      >
        {icon}
      </ActionIcon>
    </DisabledReason>
  );
}
