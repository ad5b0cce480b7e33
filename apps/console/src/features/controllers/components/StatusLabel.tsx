import type { ControllerStatus } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import classes from './status.module.css';

interface Props {
  status: ControllerStatus;
  /** Offline, and no more to be waited for. */
  isDetached?: boolean;
}

/** A controller's status by shape, colour and word. */
export function StatusLabel({ status, isDetached = false }: Props) {
  const { t } = useTranslation('controllers');
  return (
    <span className={classes.status}>
      <StatusDot status={status} />
      {t(`status.${isDetached ? 'detached' : status}`)}
    </span>
  );
}

/** The shape of a status: filled, hollow or dashed. Always stands beside its word. */
export function StatusDot({ status }: { status: ControllerStatus }) {
  return <span className={classes.dot} data-status={status} aria-hidden />;
}
