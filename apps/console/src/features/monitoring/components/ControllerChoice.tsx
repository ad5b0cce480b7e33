import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { controllersQuery } from '../../controllers/index.ts';
import classes from './monitoring.module.css';

interface Props {
  organizationId: string;
  /** Undefined: all of them. */
  value: string | undefined;
  onChange: (serialNumber: string | undefined) => void;
}

/** More are found by typing. */
const offered = 20;
const all = '*';

/** One controller or all, found by anything that the list's search finds. */
export function ControllerChoice({ organizationId, value, onChange }: Props) {
  const { t } = useTranslation('monitoring');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const isTyping = search !== '' && search !== value && search !== t('allControllers');
  const { data } = useQuery(
    controllersQuery({
      organization_id: organizationId,
      search: isTyping ? search : undefined,
      page_size: offered,
      ordering: 'serial_number',
    }),
  );
  const found = data?.results ?? [];
  const options = [
    { value: all, label: t('allControllers') },
    ...found.map(({ serialNumber }) => ({ value: serialNumber, label: serialNumber })),
    // The chosen one is shown even when it is not among those found.
    ...(value === undefined || found.some(({ serialNumber }) => serialNumber === value)
      ? []
      : [{ value, label: value }]),
  ];
  return (
    <Select
      className={classes.choice ?? ''}
      aria-label={t('controller')}
      searchable
      allowDeselect={false}
      value={value ?? all}
      data={options}
      // The server has searched, in more than the serial number.
      filter={({ options: unfiltered }) => unfiltered}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={t('nothingFound')}
      renderOption={({ option }) => {
        const description = found.find(({ serialNumber }) => serialNumber === option.value)?.description;
        return (
          <span className={classes.option}>
            {option.label}
            {description && <span className={classes.optionText}>{description}</span>}
          </span>
        );
      }}
      onChange={(chosen) => onChange(chosen === all || chosen === null ? undefined : chosen)}
    />
  );
}
