import { useLayoutEffect, useRef } from 'react';
import { Bounce, ToastContainer, type ToastTransitionProps } from 'react-toastify';
import { mostToasts, toastLifetime } from './show-toast.tsx';
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
      limit={mostToasts}
      closeOnClick
      pauseOnHover
      // A toast must not wait for a window that is not looked at.
      pauseOnFocusLoss={false}
      transition={TimedFromAppearance}
      icon={false}
      theme="colored"
      aria-label={label}
    />
  );
}

const doNothing = () => {};

/**
 * The time of a toast runs from its appearance (spec-coverage: Each message is an error toast of 6000 ms). By itself the
 * library starts it when the toast has come in, and then anew, whether or not the pointer rests on it.
 */
function TimedFromAppearance({ playToast, ...props }: ToastTransitionProps) {
  const start = useRef(playToast);
  useLayoutEffect(() => start.current(), []);
  return <Bounce {...props} playToast={doNothing} />;
}
