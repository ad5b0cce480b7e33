import { UnstyledButton } from '@mantine/core';
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs';
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs';
import { useTranslation } from 'react-i18next';
import { columnKeys } from '../list-search.ts';
import { columnTexts } from './columns.tsx';
import classes from './controllers-table.module.css';

interface Props {
  id: string;
  sorted: false | 'asc' | 'desc';
  onSort: (() => void) | undefined;
}

export function ColumnHeader({ id, sorted, onSort }: Props) {
  const { t } = useTranslation('controllers');
  const key = columnKeys.find((known) => known === id);
  const text = key ? t(columnTexts[key]) : t('column.actions');
  const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp;
  return (
    <th
      scope="col"
      data-column={id}
      aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {onSort ? (
        <UnstyledButton className={classes.sort} data-sorted={sorted || undefined} onClick={onSort}>
          {text}
          <Arrow size={14} className={classes.arrow} aria-hidden />
        </UnstyledButton>
      ) : (
        text
      )}
    </th>
  );
}
