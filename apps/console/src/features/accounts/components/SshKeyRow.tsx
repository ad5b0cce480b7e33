import { Button, Text } from '@mantine/core';
import type { SshKey } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconKey } from '../../../shared/icons/IconKey.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './accounts.module.css';

export function SshKeyRow({ sshKey, onDelete }: { sshKey: SshKey; onDelete: () => void }) {
  const { t } = useTranslation('security');
  const { formatDate } = useFormat();
  const { name, fingerprint, createdAt, lastUsedAt } = sshKey;
  return (
    <li className={classes.session}>
      <IconKey size={20} stroke={1.5} className={classes.sessionIcon} aria-hidden />
      <div className={classes.sessionText}>
        <Text size="sm" fw={500} className={classes.lead ?? ''}>
          {name}
        </Text>
        <Text size="xs" component="div">
          <Mono>{fingerprint}</Mono>
        </Text>
        <div className={classes.sessionDetails}>
          {lastUsedAt ? (
            <time dateTime={lastUsedAt}>{t('sshKeys.lastUsed', { time: formatDate(lastUsedAt) })}</time>
          ) : (
            <span>{t('sshKeys.neverUsed')}</span>
          )}
          <time dateTime={createdAt}>{t('sshKeys.added', { time: formatDate(createdAt) })}</time>
        </div>
      </div>
      <Button
        className={classes.sessionEnd ?? ''}
        variant="default"
        size="xs"
        onClick={onDelete}
        aria-label={t('sshKeys.deleteOne', { name })}
      >
        {t('sshKeys.delete')}
      </Button>
    </li>
  );
}
