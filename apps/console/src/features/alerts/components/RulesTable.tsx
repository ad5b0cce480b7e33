import type { AlertRule } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconBellOff } from '../../../shared/icons/IconBellOff.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import type { AlertChannel } from '../channels/channel.ts';
import { alertChannels } from '../channels/channels.ts';
import { useDuration } from '../use-duration.ts';
import classes from './alerts.module.css';
import { RuleMenu } from './RuleMenu.tsx';

interface Props {
  organizationId: string;
  rules: readonly AlertRule[];
  /** Why they may not be changed. */
  reason: string | undefined;
  onSecret: (secret: string) => void;
}

export function RulesTable({ organizationId, rules, reason, onSecret }: Props) {
  const { t } = useTranslation('alerts');
  const channels = alertChannels.filter(({ isRare, isUsed }) => !isRare || rules.some(isUsed));
  return (
    <FoldingTable className={classes.table} label={t('rules.table')}>
      <thead>
        <tr>
          <th>{t('rules.place')}</th>
          <th>{t('rules.when')}</th>
          {channels.map(({ name, title }) => (
            <th key={name}>{t(title)}</th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <tr key={rule.id}>
            <th scope="row" className={classes.place}>
              <bdi>{rule.group?.name ?? t('rules.organization')}</bdi>
            </th>
            <RuleDetails rule={rule} channels={channels} />
            <td className={classes.menu}>
              <RuleMenu
                organizationId={organizationId}
                rule={rule}
                rules={rules}
                reason={reason}
                onSecret={onSecret}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </FoldingTable>
  );
}

function RuleDetails({ rule, channels }: { rule: AlertRule; channels: readonly AlertChannel[] }) {
  const { t } = useTranslation('alerts');
  const duration = useDuration();
  if (!rule.enabled) {
    return (
      <td colSpan={1 + channels.length}>
        <span className={classes.off}>
          <IconBellOff size={16} stroke={1.75} aria-hidden />
          {t('rules.off')}
        </span>
      </td>
    );
  }
  const isSilent = !alertChannels.some(({ isUsed }) => isUsed(rule));
  return (
    <>
      <td>{t('rules.after', { duration: duration(rule.minutes) })}</td>
      {channels.map(({ name, title, Cell }) => (
        <td key={name} data-label={t(title)}>
          <Cell rule={rule} isSilent={isSilent} />
        </td>
      ))}
    </>
  );
}
