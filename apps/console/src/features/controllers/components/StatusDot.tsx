import type { ControllerStatus } from '@pult/contract';
import classes from './status.module.css';

/** The shape of a status: filled, hollow or dashed. Always stands beside its word. */
export function StatusDot({ status }: { status: ControllerStatus }) {
  return <span className={classes.dot} data-status={status} aria-hidden />;
}
