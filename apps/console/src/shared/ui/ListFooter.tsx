import { NativeSelect, Pagination } from '@mantine/core';
import { limits } from '@pult/contract/values';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../i18n/use-format.ts';
import classes from './list.module.css';

interface Paging {
  /** From 1. */
  page: number;
  /** 0: as many as the server gives by itself. */
  pageSize: number;
}

interface Props {
  search: Paging;
  total: number;
  onChange: (change: Partial<Paging>) => void;
  /** Rows of a page to choose from. */
  pageSizes?: readonly number[];
}

const commonSizes = [25, 50, 100, 500] as const;

const rowsOf = (pageSize: number) => pageSize || limits.pageSizeDefault;
const sizeOf = (rows: number) => (rows === limits.pageSizeDefault ? 0 : rows);

/** Where in the list one is, and the way to the rest of it; nothing below a list that has no rest. */
export function ListFooter(props: Props) {
  const {
    search: { page, pageSize },
    total,
    onChange,
    pageSizes = commonSizes,
  } = props;
  const { t } = useTranslation('shared');
  const { formatNumber } = useFormat();
  const sizeLabel = useId();
  const rows = rowsOf(pageSize);
  const pages = Math.max(1, Math.ceil(total / rows));
  const range = {
    from: formatNumber(Math.min(total, (page - 1) * rows + 1)),
    to: formatNumber(Math.min(total, page * rows)),
    total: formatNumber(total),
  };
  // All of it is in sight.
  if (page === 1 && total <= Math.min(rows, ...pageSizes)) return null;
  const sizes = [...new Set([...pageSizes, rows])].sort((a, b) => a - b);
  return (
    <div className={classes.footer}>
      <span className="tabular">{t('list.range', range)}</span>
      {pages > 1 && (
        <Pagination
          size="sm"
          aria-label={t('list.pages')}
          total={pages}
          value={page}
          onChange={(next) => onChange({ page: next })}
          siblings={1}
          getControlProps={(control) => ({
            'aria-label': control === 'previous' ? t('list.previousPage') : t('list.nextPage'),
          })}
        />
      )}
      {total > Math.min(...pageSizes) && (
        <div className={classes.pageSize}>
          <span id={sizeLabel}>{t('list.pageSize')}</span>
          <NativeSelect
            size="xs"
            aria-labelledby={sizeLabel}
            value={String(rows)}
            data={sizes.map((size) => ({ value: String(size), label: formatNumber(size) }))}
            onChange={(event) => onChange({ pageSize: sizeOf(Number(event.currentTarget.value)), page: 1 })}
          />
        </div>
      )}
    </div>
  );
}
