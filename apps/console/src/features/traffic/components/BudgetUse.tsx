import type { ControllerTraffic } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/i18n/use-format.ts';
import classes from './traffic.module.css';

/** The sum of a month beside what it may be. */
export function BudgetUse({ traffic: { total, budget } }: { traffic: ControllerTraffic }) {
  const { t } = useTranslation('traffic');
  const { formatBytes, formatNumber } = useFormat();
  if (!budget) {
    return (
      <p className={classes.total}>
        <strong>{formatBytes(total)}</strong>
      </p>
    );
  }
  const share = total / budget.bytes;
  const state = share >= 1 ? 'over' : share >= 0.8 ? 'near' : 'within';
  const percent = formatNumber(Math.floor(share * 100) / 100, { style: 'percent' });
  const values = { budget: formatBytes(budget.bytes), percent, group: budget.group?.name ?? '' };
  const label = budget.group ? t('use.ofGroup', values) : t('use.own', values);
  return (
    <div className={classes.use} data-state={state}>
      <p className={classes.total}>
        <strong>{formatBytes(total)}</strong> <span>{label}</span>
      </p>
      <meter
        className={classes.meter}
        aria-label={t('use.label')}
        value={Math.min(share, 1)}
        max={1}
        title={percent}
      />
      {state !== 'within' && <p className={classes.warning}>{t(`use.${state}`)}</p>}
    </div>
  );
}
