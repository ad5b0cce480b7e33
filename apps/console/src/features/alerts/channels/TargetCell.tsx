import type { DeliveryResult } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import classes from '../components/alerts.module.css';
import { useDeliveryText } from './delivery-text.ts';

interface Props {
  /** Where its messages go. Null: it cannot be read any more; undefined: nowhere. */
  target: string | null | undefined;
  lastResult: DeliveryResult | null;
}

/** Where a rule's messages go, and how the last one went. */
export function TargetCell({ target, lastResult }: Props) {
  const { t } = useTranslation('alerts');
  const describe = useDeliveryText();
  if (target === undefined) return <span className={classes.muted}>{t('rules.unused')}</span>;
  if (target === null) {
    return (
      <span className={classes.result} data-failed>
        {t('rules.lost')}
      </span>
    );
  }
  return (
    <span className={classes.webhook}>
      <bdi>{target}</bdi>
      <span
        className={classes.result}
        data-failed={(lastResult !== null && !lastResult.delivered) || undefined}
      >
        {describe(lastResult)}
      </span>
    </span>
  );
}
