import { Button, Text } from '@mantine/core';
import type { AccessToken } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { IconKey } from '../../../shared/icons/IconKey.ts';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from '../components/accounts.module.css';

export function TokenRow({ token, onDelete }: { token: AccessToken; onDelete: () => void }) {
  const { t } = useTranslation('tokens');
  const { formatDate } = useFormat();
  const { name, prefix, scopes, networks, createdAt, expiresAt, isExpired, lastUsedAt, lastUsedFrom } = token;
  const end = () => {
    if (expiresAt === null) return t('endless');
    return t(isExpired ? 'expired' : 'until', { date: formatDate(expiresAt, 'date') });
  };
  return (
    <li className={classes.session}>
      <IconKey size={20} stroke={1.5} className={classes.sessionIcon} aria-hidden />
      <div className={classes.sessionText}>
        <Text size="sm" fw={500} className={classes.lead ?? ''} component="bdi">
          {name}
        </Text>
        <div className={classes.sessionDetails}>
          <Mono>{`${prefix}…`}</Mono>
          <span title={scopes.join(', ')}>{t('scopes', { count: scopes.length })}</span>
          <span data-expired={isExpired || undefined}>{end()}</span>
        </div>
        <div className={classes.sessionDetails}>
          <span>
            {lastUsedAt === null
              ? t('neverUsed')
              : t('lastUsed', { date: formatDate(lastUsedAt), address: lastUsedFrom ?? '' })}
          </span>
          <span>{t('created', { date: formatDate(createdAt, 'date') })}</span>
        </div>
        {networks.length > 0 && (
          <Text size="xs" c="dimmed" className={classes.lead ?? ''}>
            {t('networks', { networks: networks.join(', ') })}
          </Text>
        )}
      </div>
      <Button
        className={classes.sessionEnd ?? ''}
        variant="default"
        size="xs"
        onClick={onDelete}
        aria-label={t('deleteOne', { name })}
      >
        {t('delete')}
      </Button>
    </li>
  );
}
