import { Menu, Pill, TextInput } from '@mantine/core';
import type { StatusCounts, Text } from '@pult/contract';
import {
  type AtLeastFilter,
  atLeastFilters,
  type ChoiceField,
  type ChoiceFilter,
  type ContainsFilter,
  type ControllerField,
  choiceFilters,
  containsFilters,
  controllerFields,
  limits,
  listChoices,
} from '@pult/contract/values';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shared/i18n/i18n.ts';
import { useFormat } from '../../shared/i18n/use-format.ts';
import { useTyped } from '../../shared/ui/use-typed.ts';
import classes from './components/fields.module.css';
import { type FieldFilters, toCamelCase, toMinimum } from './filter-parts.ts';
import type { ru } from './messages.ts';

export interface FilterProps {
  search: FieldFilters;
  onChange: (changes: Partial<FieldFilters>) => void;
  counts: StatusCounts | undefined;
}

export type FieldLabel = `field.${keyof typeof ru.field}`;

interface FieldProps<Name> extends FilterProps {
  name: Name;
  label: FieldLabel;
}

export function TextFilter({ name, label, search, onChange }: FieldProps<ContainsFilter>) {
  const { t } = useTranslation('controllers');
  const part = toCamelCase(name);
  if (search[part] === '') return null;
  const field = t(label);
  return (
    <FilterPill label={t('list.anyText', { field })} onRemove={() => onChange({ [part]: '' })}>
      {t('list.contains', { field, text: search[part] })}
    </FilterPill>
  );
}

export function TextChoice({ name, label, search, onChange }: FieldProps<ContainsFilter>) {
  const { t } = useTranslation('controllers');
  const part = toCamelCase(name);
  // The menu may be closed before the pause.
  const { typed, type } = useTyped(search[part], (text) => onChange({ [part]: text }), { isFleeting: true });
  return (
    <TextInput
      px="sm"
      py={4}
      size="xs"
      placeholder={t(label)}
      aria-label={t(label)}
      maxLength={limits.filterLength}
      value={typed}
      onKeyDown={(event) => {
        // The menu would look for an entry that begins so, and go to it.
        if (event.key !== 'Escape' && event.key !== 'Tab') event.stopPropagation();
      }}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/** A value of a choice, in the reader's language. */
export function useChoiceLabel(): (name: ChoiceField, value: string) => string {
  const locale = useLocale();
  return (name, value) => {
    const choices: Readonly<Record<string, Text>> = controllerFields[name].choices;
    return choices[value]?.[locale] ?? value;
  };
}

function ChosenFilter({ name, label, search, onChange }: FieldProps<ChoiceFilter>) {
  const { t } = useTranslation('controllers');
  const labelOf = useChoiceLabel();
  const part = toCamelCase(name);
  const value = search[part];
  if (!value) return null;
  const field = t(label);
  return (
    <FilterPill label={t('list.anyText', { field })} onRemove={() => onChange({ [part]: undefined })}>
      {`${field}: ${labelOf(name, value)}`}
    </FilterPill>
  );
}

function ChoiceChoice({ name, label, search, onChange }: FieldProps<ChoiceFilter>) {
  const { t } = useTranslation('controllers');
  const labelOf = useChoiceLabel();
  const part = toCamelCase(name);
  return (
    <RadioChoice
      label={t(label)}
      value={search[part] ?? ''}
      options={[
        { value: '', label: t('list.all') },
        ...listChoices(name).map((value) => ({ value, label: labelOf(name, value) })),
      ]}
      onChange={(value) => onChange({ [part]: value || undefined })}
    />
  );
}

/** Offered in the menu; the address may say any other. For bytes 10 MB to 10 GB: a line may be paid for by the megabyte. */
const steps = {
  bytes: [10 * 1024 ** 2, 100 * 1024 ** 2, 1024 ** 3, 10 * 1024 ** 3],
  number: [1, 10, 100, 1000],
};

/** An amount as its field has it. */
function useAmount(): (name: AtLeastFilter, value: number) => string {
  const { formatBytes, formatNumber } = useFormat();
  return (name, value) =>
    controllerFields[name].type === 'bytes' ? formatBytes(value) : formatNumber(value);
}

function AtLeastPill({ name, label, search, onChange }: FieldProps<AtLeastFilter>) {
  const { t } = useTranslation('controllers');
  const amountOf = useAmount();
  const part = toMinimum(name);
  if (search[part] === 0) return null;
  const field = t(label);
  return (
    <FilterPill label={t('list.anyText', { field })} onRemove={() => onChange({ [part]: 0 })}>
      {t('list.atLeast', { field, amount: amountOf(name, search[part]) })}
    </FilterPill>
  );
}

function AtLeastChoice({ name, label, search, onChange }: FieldProps<AtLeastFilter>) {
  const { t } = useTranslation('controllers');
  const amountOf = useAmount();
  const part = toMinimum(name);
  return (
    <RadioChoice
      label={t(label)}
      value={String(search[part])}
      options={[
        { value: '0', label: t('list.anySize') },
        ...steps[controllerFields[name].type].map((amount) => ({
          value: String(amount),
          label: t('list.sizeFrom', { size: amountOf(name, amount) }),
        })),
      ]}
      onChange={(value) => onChange({ [part]: Number(value) })}
    />
  );
}

interface RadioProps {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

export function RadioChoice({ label, value, options, onChange }: RadioProps) {
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      <Menu.RadioGroup value={value} onChange={onChange}>
        {options.map((option) => (
          <Menu.RadioItem key={option.value} value={option.value}>
            {option.label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

interface FilteredField {
  name: ControllerField;
  label: FieldLabel;
  /** Its own; a field without any has those of its filter in the contract's table. */
  Filter?: ComponentType<FilterProps>;
  Choice?: ComponentType<FilterProps>;
}

function isAmong<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.some((each) => each === name);
}

/** Above the list, while it is narrowed by the field or may be. */
export function FieldFilter({ field, ...props }: FilterProps & { field: FilteredField }) {
  const { name, label, Filter } = field;
  if (Filter) return <Filter {...props} />;
  if (isAmong(containsFilters, name)) return <TextFilter {...props} name={name} label={label} />;
  if (isAmong(choiceFilters, name)) return <ChosenFilter {...props} name={name} label={label} />;
  if (isAmong(atLeastFilters, name)) return <AtLeastPill {...props} name={name} label={label} />;
  return null;
}

/** Its part of the menu of filters. */
export function FieldChoice({ field, ...props }: FilterProps & { field: FilteredField }) {
  const { name, label, Filter, Choice } = field;
  if (Choice) return <Choice {...props} />;
  if (Filter) return null;
  if (isAmong(containsFilters, name)) return <TextChoice {...props} name={name} label={label} />;
  if (isAmong(choiceFilters, name)) return <ChoiceChoice {...props} name={name} label={label} />;
  if (isAmong(atLeastFilters, name)) return <AtLeastChoice {...props} name={name} label={label} />;
  return null;
}

interface PillProps {
  label: string;
  onRemove: () => void;
  children: ReactNode;
}

/** A filter that has no field above the list: it came with a link, or from a menu. */
export function FilterPill({ label, onRemove, children }: PillProps) {
  return (
    <Pill
      size="lg"
      className={classes.pill ?? ''}
      withRemoveButton
      removeButtonProps={{ 'aria-label': label, 'aria-hidden': false, tabIndex: 0 }}
      onRemove={onRemove}
    >
      {children}
    </Pill>
  );
}
