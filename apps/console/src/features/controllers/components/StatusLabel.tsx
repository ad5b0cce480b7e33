import type { ControllerStatus } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import classes from './status.module.css';

/** A controller's status by shape, colour and word. */
export function StatusLabel({ status }: { status: ControllerStatus }) {
  const { t } = useTranslation('controllers');
  return (
    <span className={classes.status}>
      <StatusDot status={status} />
      {t(`status.${status}`)}
    </span>
  );
}

/** The shape of a status: filled, hollow or dashed. Always stands beside its word. */
export function StatusDot({ status }: { status: ControllerStatus }) {
  return <span className={classes.dot} data-status={status} aria-hidden />;
}
