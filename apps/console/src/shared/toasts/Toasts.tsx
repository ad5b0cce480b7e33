import { ToastContainer } from 'react-toastify';
import { toastLifetime } from './show-toast.tsx';
import classes from './toasts.module.css';

interface Props {
  /** Says what the area is, to screen readers. */
  label: string;
}

/** The global toast area (spec-coverage: Toast: closes after its lifetime): the timer rests under the pointer, a click closes. */
export function Toasts({ label }: Props) {
  return (
    <ToastContainer
      className={classes.container ?? ''}
      toastClassName={classes.toast ?? ''}
      position="top-right"
      autoClose={toastLifetime}
      closeOnClick
      pauseOnHover
      // A toast must not wait for a window that is not looked at.
      pauseOnFocusLoss={false}
      icon={false}
      theme="colored"
      aria-label={label}
    />
  );
}
