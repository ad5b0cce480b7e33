import { Select } from '@mantine/core';
import type { AlertRule, Group } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { groupsQuery } from '../../groups/index.ts';

interface Props {
  organizationId: string;
  rules: readonly AlertRule[];
  /** Null: the organization; undefined: nothing chosen yet. */
  value: string | null | undefined;
  error: ReactNode;
  onChange: (groupId: string | null | undefined) => void;
}

/** In place of a group's id. */
const wholeId = 'organization';

interface Place {
  id: string;
  path: string;
}

/** Each group with the names of those above it, from the top down. */
function listPlaces(groups: readonly Group[], above = ''): Place[] {
  return groups.flatMap(({ id, name, subgroups }) => {
    const path = above === '' ? name : `${above} / ${name}`;
    return [{ id, path }, ...listPlaces(subgroups, path)];
  });
}

/** Chooses the organization or a group; those that have a rule are shown, and cannot be chosen. */
export function PlaceField({ organizationId, rules, value, error, onChange }: Props) {
  const { t } = useTranslation('alerts');
  const { data } = useQuery(groupsQuery({ organization_id: organizationId }));
  const taken = new Set(rules.map(({ group }) => group?.id ?? wholeId));
  const places: Place[] = [{ id: wholeId, path: t('rules.organization') }, ...listPlaces(data ?? [])];
  return (
    <Select
      label={t('form.place')}
      description={t('form.placeHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={places.map(({ id, path }) => ({
        value: id,
        label: taken.has(id) ? t('form.taken', { place: path }) : path,
        disabled: taken.has(id),
      }))}
      placeholder={t('form.choosePlace')}
      value={value === null ? wholeId : (value ?? null)}
      error={error}
      onChange={(chosen) => onChange(chosen === wholeId ? null : (chosen ?? undefined))}
      nothingFoundMessage={t('form.noGroup')}
      searchable
      // A dialog opens with the focus here, and not with its list.
      openOnFocus={false}
      data-autofocus
      allowDeselect={false}
      limit={100}
      maxDropdownHeight={280}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
