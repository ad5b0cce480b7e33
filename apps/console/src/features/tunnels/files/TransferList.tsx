import { ActionIcon, Button, Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconDownload } from '../../../shared/icons/IconDownload.ts';
import { IconUpload } from '../../../shared/icons/IconUpload.ts';
import { IconX } from '../../../shared/icons/IconX.ts';
import classes from './files.module.css';
import { shownName } from './shown-name.ts';
import type { Transfer } from './use-files.ts';

function TransferRow({ transfer }: { transfer: Transfer }) {
  const { t } = useTranslation('files');
  const { formatBytes } = useFormat();
  const { kind, size, bytes, state, cancel } = transfer;
  const name = shownName(transfer.name);
  const isOpen = state === 'waiting' || state === 'running';
  const Icon = kind === 'upload' ? IconUpload : IconDownload;
  const isFailed = !isOpen && state !== 'done' && state !== 'cancelled';
  const summary = () => {
    if (state === 'waiting') return t('waiting');
    if (state === 'done') return t('done');
    if (state !== 'running') return t(`failure.${state}`);
    return size === null
      ? formatBytes(bytes)
      : t('progress', { bytes: formatBytes(bytes), size: formatBytes(size) });
  };
  return (
    <li className={classes.transfer}>
      <Icon size={14} className={classes.icon} />
      <div className={classes.transferText}>
        <div className={classes.name} title={name}>
          <bdi>{name}</bdi>
        </div>
        <Text size="xs" {...(isFailed ? { c: 'var(--pult-danger)' } : { c: 'dimmed' })} role="status">
          {summary()}
        </Text>
        {state === 'running' && (
          <Progress
            size={4}
            value={size ? (bytes / size) * 100 : 100}
            animated={size === null}
            aria-label={name}
          />
        )}
      </div>
      {isOpen && (
        <ActionIcon variant="subtle" color="gray" aria-label={t('cancel', { name })} onClick={cancel}>
          <IconX size={14} />
        </ActionIcon>
      )}
    </li>
  );
}

export function TransferList({
  transfers,
  onClear,
}: {
  transfers: readonly Transfer[];
  onClear: () => void;
}) {
  const { t } = useTranslation('files');
  if (transfers.length === 0) return null;
  return (
    <section className={classes.transfers} aria-label={t('transfers')}>
      <Group justify="space-between" px={12} py={4}>
        <Text size="xs" c="dimmed">
          {t('transfers')}
        </Text>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={onClear}>
          {t('clear')}
        </Button>
      </Group>
      <ul className={classes.list}>
        {transfers.map((transfer) => (
          <TransferRow key={transfer.id} transfer={transfer} />
        ))}
      </ul>
    </section>
  );
}
