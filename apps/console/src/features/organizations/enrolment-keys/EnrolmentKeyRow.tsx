import { Button } from '@mantine/core';
import type { EnrolmentKey } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import list from '../../../shared/ui/item-list.module.css';
import { Mono } from '../../../shared/ui/Mono.tsx';
import classes from './enrolment-keys.module.css';

interface Props {
  enrolmentKey: EnrolmentKey;
  onRevoke: () => void;
}

export function EnrolmentKeyRow({ enrolmentKey, onRevoke }: Props) {
  const { t } = useTranslation('enrolmentKeys');
  const { formatDate, formatNumber } = useFormat();
  const { name, prefix, group, uses, maxUses, expiresAt, state, createdBy, createdAt, lastUsedAt } =
    enrolmentKey;
  return (
    <li className={`${list.item} ${classes.key}`} data-state={state}>
      <div className={list.text}>
        <div className={list.head}>
          <bdi className={list.name}>{name}</bdi>
          <span className={`${list.note} ${classes.state}`}>{t(`state.${state}`)}</span>
        </div>
        <div className={list.details}>
          <Mono>{`${prefix}…`}</Mono>
          <span>{t('uses', { uses: formatNumber(uses), max: formatNumber(maxUses) })}</span>
          <span>{t('until', { date: formatDate(expiresAt, 'date') })}</span>
          <span>{group ? t('group', { name: group.name }) : t('noGroup')}</span>
        </div>
        <div className={list.details}>
          <span>
            {lastUsedAt === null ? t('neverUsed') : t('lastUsed', { date: formatDate(lastUsedAt) })}
          </span>
          <span>{t('created', { date: formatDate(createdAt, 'date') })}</span>
          {createdBy !== null && <span>{t('createdBy', { email: createdBy })}</span>}
        </div>
      </div>
      {state !== 'revoked' && (
        <Button variant="default" size="xs" onClick={onRevoke} aria-label={t('revokeOne', { name })}>
          {t('revoke')}
        </Button>
      )}
    </li>
  );
}
