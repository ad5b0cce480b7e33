import { NativeSelect, Select, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { limits } from '@pult/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { groupsQuery, toGroupChoices } from '../groups/index.ts';
import { type PlaceType, placeTypes, type TypedPlace } from './places.ts';

interface Props {
  organizationId: string;
  /** Whoever has a part of the organization gives nothing on the whole. */
  isPartial: boolean;
  type: PlaceType;
  onType: (type: PlaceType) => void;
  /** Of the form, each for its type. */
  group: GetInputPropsReturnType;
  controller: GetInputPropsReturnType;
}

/** What the form says of a place that was not chosen. */
export function usePlaceCheck() {
  const { t } = useTranslation('grants');
  return {
    group: (value: string | null, { type }: TypedPlace) =>
      type !== 'group' || value ? null : t('form.groupRequired'),
    controller: (value: string, { type }: TypedPlace) =>
      type !== 'controller' || value.trim() ? null : t('form.controllerRequired'),
  };
}

/** Where a right is to count. */
export function PlaceFields({ organizationId, isPartial, type, onType, group, controller }: Props) {
  const { t } = useTranslation('grants');
  const { data: groups } = useQuery(groupsQuery({ organization_id: organizationId }));
  return (
    <>
      <NativeSelect
        label={t('form.where')}
        value={type}
        data={placeTypes
          .filter((each) => each !== 'organization' || !isPartial)
          .map((value) => ({ value, label: t(`form.type.${value}`) }))}
        onChange={({ currentTarget: { value } }) =>
          onType(placeTypes.find((each) => each === value) ?? 'group')
        }
      />
      {type === 'group' && (
        <Select
          {...group}
          label={t('form.group')}
          description={t('form.groupHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={toGroupChoices(groups ?? [])}
          nothingFoundMessage={t('form.noSuchGroup')}
          searchable
          limit={100}
          maxDropdownHeight={280}
          comboboxProps={{ shadow: 'md' }}
        />
      )}
      {type === 'controller' && (
        <TextInput
          {...controller}
          label={t('form.controller')}
          maxLength={limits.serialNumberLength}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      )}
    </>
  );
}
