import { Button, Text } from '@mantine/core';
import type { GuestLink } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import list from '../../../shared/ui/item-list.module.css';

interface Props {
  link: GuestLink;
  /** Its service is on a port that no guest reaches. */
  isReserved: boolean;
  isPending: boolean;
  onEnd: () => void;
}

/** One guest: what they reach, until when, and the end of it. */
export function GuestRow({ link, isReserved, isPending, onEnd }: Props) {
  const { t } = useTranslation('guests');
  const { formatDate } = useFormat();
  const { name, service, isReadOnly, used, uses, expiresAt, lastUsedAt, createdBy } = link;
  const what = service === 'http' || service === 'ssh' ? t(`service.${service}`) : `:${service}`;
  return (
    <li className={list.item}>
      <div className={list.text}>
        <div className={list.head}>
          <bdi className={list.name}>{name}</bdi>
        </div>
        <div className={list.details}>
          <span>{isReadOnly ? `${what}, ${t('readOnly')}` : what}</span>
          <span>{t('until', { date: formatDate(expiresAt) })}</span>
          <span>{t('used', { used, uses })}</span>
          {lastUsedAt !== null && <span>{t('lastUsed', { date: formatDate(lastUsedAt) })}</span>}
          {createdBy !== null && <span>{t('by', { name: createdBy })}</span>}
        </div>
        {isReserved && (
          <Text size="sm" c="var(--pult-warning)">
            {t('reserved')}
          </Text>
        )}
      </div>
      <Button
        variant="default"
        size="xs"
        loading={isPending}
        onClick={onEnd}
        aria-label={t('endOne', { name })}
      >
        {t('end')}
      </Button>
    </li>
  );
}
