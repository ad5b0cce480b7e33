import type { HealthState } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconAlertTriangle } from '../../../shared/icons/IconAlertTriangle.ts';
import { IconCircleCheck } from '../../../shared/icons/IconCircleCheck.ts';
import { IconCircleX } from '../../../shared/icons/IconCircleX.ts';
import { IconHelpCircle } from '../../../shared/icons/IconHelpCircle.ts';
import classes from './installation.module.css';

export type ShownState = HealthState | 'unknown';

const icons = { ok: IconCircleCheck, warn: IconAlertTriangle, fail: IconCircleX, unknown: IconHelpCircle };

/** A state by shape and colour; always beside words. */
export function StateIcon({ state, size = 16 }: { state: ShownState; size?: number }) {
  const Icon = icons[state];
  return <Icon size={size} stroke={1.75} className={classes.icon} data-state={state} aria-hidden />;
}

export function StateLabel({ state }: { state: ShownState }) {
  const { t } = useTranslation('installation');
  return (
    <span className={classes.state} data-state={state}>
      <StateIcon state={state} />
      {t(`state.${state}`)}
    </span>
  );
}
