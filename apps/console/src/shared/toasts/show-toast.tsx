import { toast } from 'react-toastify';
import classes from './toasts.module.css';

export interface ToastMessage {
  severity: 'info' | 'success' | 'error';
  summary: string;
  details?: string;
  /** While a toast of this id is shown, there is no second one. */
  id?: string;
  /** What can be done about it, for as long as the toast is there. */
  action?: { label: string; lifetime: number; onClick: () => void };
}

/** spec-coverage: Error toast 6000 ms; top right */
export const toastLifetime = 6000;

const shownLength = 60;

/** A name inside the text of a toast: a long one would hide what it says. */
export function shortenName(name: string): string {
  const letters = [...name];
  return letters.length > shownLength ? `${letters.slice(0, shownLength).join('').trimEnd()}…` : name;
}

export function showToast({ severity, summary, details, id, action }: ToastMessage): void {
  toast(
    <div>
      <div className={classes.summary}>{summary}</div>
      {details ? (
        <div className={classes.details} title={details}>
          {details}
        </div>
      ) : null}
      {action && (
        // The click goes on to the toast, which it closes.
        <button type="button" className={classes.action} onClick={action.onClick}>
          {action.label}
        </button>
      )}
    </div>,
    {
      type: severity,
      autoClose: action?.lifetime ?? toastLifetime,
      role: severity === 'error' ? 'alert' : 'status',
      ...(id === undefined ? {} : { toastId: id }),
    },
  );
}
