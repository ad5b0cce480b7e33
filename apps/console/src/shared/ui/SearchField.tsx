import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { limits } from '@pult/contract';
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './search-field.module.css';

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
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const tell = useDebouncedCallback((search: string) => {
    told.current = search;
    onChange(search);
  }, 250);

  // The address changed by itself (back, "clear filters"): what is typed follows.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);

  const change = (search: string) => {
    setTyped(search);
    tell(search);
  };

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
        typed && <CloseButton size="sm" aria-label={t('list.clearSearch')} onClick={() => change('')} />
      }
      value={typed}
      maxLength={limits.filterLength}
      onChange={(event) => change(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && change('')}
    />
  );
}
