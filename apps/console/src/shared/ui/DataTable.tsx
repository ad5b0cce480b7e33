import { Button } from '@mantine/core';
import type { HTMLAttributes, ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from './EmptyState.tsx';
import { FoldingTable } from './FoldingTable.tsx';
import { ListFooter } from './ListFooter.tsx';
import { type Asked, QueryState } from './QueryState.tsx';

export interface Column<Row> {
  name: string;
  /** None above what can be done with a row. */
  title?: string;
  /** As its style calls it; by itself its name, or `actions`. */
  look?: string;
  /** What a row is called by. */
  isHead?: boolean;
  /** On a card nothing says what it is. */
  isPlain?: boolean;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  label: string;
  /** Of the table's own columns. */
  className?: string | undefined;
  /** Those that are not there are left out. */
  columns: readonly (Column<Row> | false)[];
  keyOf: (row: Row) => string | number;
  rowProps?: (
    row: Row,
  ) => HTMLAttributes<HTMLTableRowElement> & { ref?: Ref<HTMLTableRowElement> | undefined };
}

interface RowsProps<Row> extends TableProps<Row> {
  rows: readonly Row[];
  /** They are those of the last view, until the new ones arrive. */
  isStale?: boolean;
}

/** Rows that are there. */
export function PlainTable<Row>(props: RowsProps<Row>) {
  const { label, className, columns, keyOf, rowProps, rows, isStale } = props;
  const shown = columns.filter((column) => column !== false);
  const lookOf = ({ name, title, look }: Column<Row>) => look ?? (title === undefined ? 'actions' : name);
  return (
    <FoldingTable label={label} className={className} {...(isStale ? { isStale } : {})}>
      <thead>
        <tr>
          {shown.map((column) => {
            const Cell = column.title === undefined ? 'td' : 'th';
            return (
              <Cell key={column.name} data-column={lookOf(column)}>
                {column.title}
              </Cell>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} {...rowProps?.(row)}>
            {shown.map((column) =>
              column.isHead ? (
                <th key={column.name} scope="row" data-column={lookOf(column)}>
                  {column.cell(row)}
                </th>
              ) : (
                <td
                  key={column.name}
                  data-column={lookOf(column)}
                  data-label={column.isPlain ? undefined : column.title}
                >
                  {column.cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </FoldingTable>
  );
}

interface Paging {
  page: number;
  pageSize: number;
}

interface Props<Row> extends TableProps<Row> {
  query: Asked<{ count: number; results: readonly Row[] }> & { isPlaceholderData: boolean };
  /** What failed, where the page can say it better. */
  failure?: string;
  /** Of the outline while it loads. */
  outline: number;
  /** Of a list that has nothing in it, whatever it is asked. */
  empty: { title: string; hint?: string };
  /** What the address says, as `useSearchOf` gives it. */
  list: {
    search: Paging;
    change: (changes: Partial<Paging>) => void;
    isFiltered: boolean;
    clear: () => void;
  };
}

/** A page of a list, with the way to the others; or why there is none. */
export function DataTable<Row>({ query, failure, outline, empty, list, ...table }: Props<Row>) {
  const { t } = useTranslation('shared');
  return (
    <QueryState query={query} failure={failure} rows={outline}>
      {({ count, results }) => {
        if (results.length > 0) {
          return (
            <>
              <PlainTable {...table} rows={results} isStale={query.isPlaceholderData} />
              <ListFooter search={list.search} total={count} onChange={list.change} />
            </>
          );
        }
        if (!list.isFiltered && count === 0) {
          return <EmptyState title={empty.title}>{empty.hint}</EmptyState>;
        }
        if (!list.isFiltered) {
          return (
            <EmptyState
              title={t('list.pageGone')}
              action={
                <Button variant="default" onClick={() => list.change({ page: 1 })}>
                  {t('list.toFirst')}
                </Button>
              }
            />
          );
        }
        return (
          <EmptyState
            title={t('list.noMatch')}
            action={
              <Button variant="default" onClick={list.clear}>
                {t('list.clear')}
              </Button>
            }
          >
            {t('list.noMatchHint')}
          </EmptyState>
        );
      }}
    </QueryState>
  );
}
