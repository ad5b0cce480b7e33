import { type ReactNode, useEffect, useState } from 'react';

interface Props {
  /** Milliseconds. */
  delay?: number;
  children: ReactNode;
}

/** Shows its content after a moment: what loads faster than that must not flicker. */
export function AfterDelay({ delay = 150, children }: Props) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delay);
    return () => clearTimeout(timer);
  }, [delay]);
  return shown ? children : null;
}
