import { CloseButton, TextInput } from '@mantine/core';
import { limits } from '@pult/contract';
import { useTranslation } from 'react-i18next';
import { IconSearch } from '../icons/IconSearch.ts';
import classes from './list.module.css';
import { useTyped } from './use-typed.ts';

interface Props {
  label: string;
  /** Shorter than the label, where there is little room. */
  placeholder?: string;
  value: string;
  onChange: (search: string) => void;
}

/** Searches while one types, a moment after each pause. */
export function SearchField({ label, placeholder = label, value, onChange }: Props) {
  const { t } = useTranslation('shared');
  const { typed, type } = useTyped(value, onChange);
  return (
    <TextInput
      className={classes.search}
      type="search"
      role="searchbox"
      aria-label={label}
      title={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={16} />}
      rightSection={
        typed && <CloseButton size="sm" aria-label={t('list.clearSearch')} onClick={() => type('')} />
      }
      value={typed}
      maxLength={limits.filterLength}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && type('')}
    />
  );
}
