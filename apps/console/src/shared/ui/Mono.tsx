import type { ReactNode, Ref } from 'react';
import classes from './copy.module.css';

interface Props {
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}

/** Serial numbers, versions, addresses and commands. */
export function Mono({ children, ref }: Props) {
  return (
    <code ref={ref} className={classes.mono}>
      {children}
    </code>
  );
}
