import { type Id, toast } from 'react-toastify';
import classes from './toasts.module.css';

export interface ToastMessage {
  severity: 'info' | 'success' | 'error';
  summary: string;
  details?: string;
  /** While a toast of this id is shown, there is no second one: the first has its time anew. */
  id?: string;
  /** What can be done about it, for as long as the toast is there. */
  action?: { label: string; lifetime: number; onClick: () => void };
}

/** spec-coverage: Error toast 6000 ms; top right */
export const toastLifetime = 6000;

/** As they lie over the page. More of them wait until there is room. */
export const mostToasts = 3;

const shownLength = 60;

/** A name inside the text of a toast: a long one would hide what it says. */
export function shortenName(name: string): string {
  const letters = [...name];
  return letters.length > shownLength ? `${letters.slice(0, shownLength).join('').trimEnd()}…` : name;
}

/** The newest toast of each id; one that is on its way out is not taken up again. */
const shown = new Map<string, Id>();
const errors = new Set<Id>();
/** Those for which there was no room yet. */
const waiting = new Set<Id>();
let count = 0;

/** Before another try: what the former one was told is out of date. */
export function closeErrorToasts(): void {
  // Only a refusal is told in more toasts than there is room for.
  toast.clearWaitingQueue();
  waiting.clear();
  for (const error of errors) toast.dismiss(error);
  errors.clear();
}

/** All of them, those that wait as well. */
export function closeToasts(): void {
  closeErrorToasts();
  shown.clear();
  toast.dismiss();
}

export function showToast({ severity, summary, details, id, action }: ToastMessage): void {
  const earlier = id === undefined ? undefined : shown.get(id);
  if (earlier !== undefined && waiting.has(earlier)) return;
  if (earlier !== undefined && toast.isActive(earlier)) {
    toast.update(earlier, { delay: 0 });
    return;
  }
  count += 1;
  const toastId = `message ${count}`;
  waiting.add(toastId);
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
      toastId,
      onOpen: () => waiting.delete(toastId),
    },
  );
  if (id !== undefined) shown.set(id, toastId);
  if (severity === 'error') errors.add(toastId);
}
