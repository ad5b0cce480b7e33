import type { AlertRule } from '@pult/contract';
import IconBellOff from '@tabler/icons-react/dist/esm/icons/IconBellOff.mjs';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import { FoldingTable } from '../../../shared/ui/FoldingTable.tsx';
import { useDuration } from '../use-duration.ts';
import { useWebhookText } from '../use-webhook-text.ts';
import classes from './alerts.module.css';
import { RuleMenu } from './RuleMenu.tsx';

interface Props {
  organizationId: string;
  rules: readonly AlertRule[];
  /** Why they may not be changed. */
  reason: string | undefined;
  onSecret: (secret: string) => void;
}

/** Emails that a row names; of others it says how many. */
const namedMembers = 2;

export function RulesTable({ organizationId, rules, reason, onSecret }: Props) {
  const { t } = useTranslation('alerts');
  return (
    <FoldingTable className={classes.table} label={t('rules.table')}>
      <thead>
        <tr>
          <th>{t('rules.place')}</th>
          <th>{t('rules.when')}</th>
          <th>{t('rules.recipients')}</th>
          <th>{t('rules.webhook')}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <tr key={rule.id}>
            <th scope="row" className={classes.place}>
              <bdi>{rule.group?.name ?? t('rules.organization')}</bdi>
            </th>
            <RuleDetails rule={rule} />
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

function RuleDetails({ rule: { enabled, minutes, members, webhook } }: { rule: AlertRule }) {
  const { t } = useTranslation('alerts');
  const { formatNumber } = useFormat();
  const duration = useDuration();
  const { describe } = useWebhookText();
  if (!enabled) {
    return (
      <td colSpan={3}>
        <span className={classes.off}>
          <IconBellOff size={16} stroke={1.75} aria-hidden />
          {t('rules.off')}
        </span>
      </td>
    );
  }
  const others = members.length - namedMembers;
  const names = members.slice(0, namedMembers).map(({ email }) => email);
  const result = webhook?.lastResult ?? null;
  return (
    <>
      <td>{t('rules.after', { duration: duration(minutes) })}</td>
      <td data-label={t('rules.recipients')}>
        {members.length === 0 && !webhook ? t('rules.nobody') : names.join(', ')}
        {others > 0 && (
          <span className={classes.muted} title={members.map(({ email }) => email).join('\n')}>
            {' '}
            {t('rules.others', { count: others, formatted: formatNumber(others) })}
          </span>
        )}
      </td>
      <td data-label={t('rules.webhook')}>
        {webhook ? (
          <span className={classes.webhook}>
            <span>{new URL(webhook.url).host}</span>
            <span
              className={classes.result}
              data-failed={(result !== null && !result.delivered) || undefined}
            >
              {describe(result)}
            </span>
          </span>
        ) : (
          <span className={classes.muted}>{t('rules.noWebhook')}</span>
        )}
      </td>
    </>
  );
}
