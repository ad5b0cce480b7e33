import type { ReactNode } from 'react';
import classes from './folding-table.module.css';

interface Props {
  label: string;
  /** The rows are those of the last view, until the new ones arrive. */
  isStale?: boolean;
  /** Of the page's own columns. */
  className?: string | undefined;
  /** `<thead>` and `<tbody>`. A cell that needs its column's name on a card has it in `data-label`. */
  children: ReactNode;
}

/** A table on a desk; the same rows are cards on a phone. */
export function FoldingTable({ label, isStale = false, className = '', children }: Props) {
  return (
    <table className={`${classes.table} ${className}`} aria-label={label} data-stale={isStale}>
      {children}
    </table>
  );
}
