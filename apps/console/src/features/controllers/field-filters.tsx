import { Menu, Pill, TextInput } from '@mantine/core';
import type { StatusCounts, Text } from '@pult/contract';
import {
  type AtLeastFilter,
  atLeastFilters,
  type ChoiceField,
  type ChoiceFilter,
  type ChoiceOf,
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
import type { ValuesOf } from '../../shared/search/define-search.ts';
import { integer, oneOf, type SearchPart, text } from '../../shared/search/search-parts.ts';
import { useTyped } from '../../shared/ui/use-typed.ts';
import classes from './components/fields.module.css';
import type { ru } from './messages.ts';

/** Exactly this version; null: those that reported none. */
const firmware: SearchPart<string | null> = {
  initial: '',
  parameters: ['firmware', 'firmware_known'],
  read: (raw) => (raw.firmware_known === 'false' ? null : text().read(raw, 'firmware')),
  write: (version) => (version === null ? { firmware_known: 'false' } : text().write(version, 'firmware')),
  ask: (version) => ({
    firmware: version || undefined,
    firmware_known: version === null ? false : undefined,
  }),
};

/** Any of these versions of the agent, exactly. */
const agents: SearchPart<readonly string[]> = {
  initial: [],
  parameters: ['agent'],
  read: ({ agent }) =>
    typeof agent === 'string' || typeof agent === 'number'
      ? String(agent)
          .split(',')
          .filter((version) => version.trim() !== '' && version.length <= limits.versionLength)
          .slice(0, limits.versionsPerFilter)
      : [],
  write: (versions): Record<string, string> => (versions.length > 0 ? { agent: versions.join(',') } : {}),
};

/** As the API's query has them. */
const updateStates = ['waiting,running', 'returned,failed'] as const;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
function toCamelCase<Name extends string>(name: Name): CamelCase<Name> {
  // What the type says.
  return name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase()) as CamelCase<Name>;
}

const toMinimum = <Name extends string>(name: Name) => `${toCamelCase(name)}Min` as const;

function createParts<Name extends string, Parts>(names: readonly Name[], create: (name: Name) => unknown) {
  // The caller's type says of each name which part that is.
  return Object.fromEntries(names.map((name) => [toCamelCase(name), create(name)])) as Parts;
}
type TextParts = { [Name in ContainsFilter as CamelCase<Name>]: SearchPart<string> };
type ChoiceParts = { [Name in ChoiceFilter as CamelCase<Name>]: SearchPart<ChoiceOf<Name> | undefined> };
type AtLeastParts = { [Name in AtLeastFilter as `${CamelCase<Name>}Min`]: SearchPart<number> };

/** What the address says of the fields by which the list is narrowed; those of the contract's table by themselves. */
export const fieldFilters = {
  ...createParts<ContainsFilter, TextParts>(containsFilters, text),
  ...createParts<ChoiceFilter, ChoiceParts>(choiceFilters, (name) => oneOf(listChoices(name))),
  ...(Object.fromEntries(
    atLeastFilters.map((name) => [toMinimum(name), integer(0, controllerFields[name].maximum)]),
  ) as AtLeastParts), // Those of the list.
  firmware,
  /** Whose agent's update is under way, or did not get there. */
  agentUpdate: oneOf(updateStates),
  agents,
  /** Only those that are offline for so many minutes; 0: any. */
  offlineMinutesMin: integer(0, limits.offlineMinutesMax),
  /** Only those without coordinates. */
  located: oneOf(['false']),
};
export type FieldFilters = ValuesOf<typeof fieldFilters>;

export interface FilterProps {
  search: FieldFilters;
  onChange: (changes: Partial<FieldFilters>) => void;
  counts: StatusCounts | undefined;
}

export function FirmwareFilter({ search: { firmware: version }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (version === '') return null;
  return (
    <FilterPill label={t('list.anyFirmware')} onRemove={() => onChange({ firmware: '' })}>
      {version === null ? t('list.firmwareUnknown') : t('list.firmware', { version })}
    </FilterPill>
  );
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

export function AgentFilter({ search: { agents: versions }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (versions.length === 0) return null;
  return (
    <FilterPill
      label={t('list.anyText', { field: t('field.agent') })}
      onRemove={() => onChange({ agents: [] })}
    >
      {`${t('field.agent')}: ${versions.join(', ')}`}
    </FilterPill>
  );
}

/** An hour, a day, a week and a month. */
const absences = [60, 24 * 60, 7 * 24 * 60, 30 * 24 * 60];

/** How long that is, in the largest unit of which it is a whole number. */
function useAbsence(): (minutes: number) => string {
  const { t } = useTranslation('controllers');
  const { formatNumber } = useFormat();
  return (minutes) => {
    const unit = minutes % 1440 === 0 ? 'days' : minutes % 60 === 0 ? 'hours' : 'minutes';
    const count = minutes / { days: 1440, hours: 60, minutes: 1 }[unit];
    return t(`list.offlineFor.${unit}`, { count, formatted: formatNumber(count) });
  };
}

export function OfflineFilter({ search: { offlineMinutesMin }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const sayAbsence = useAbsence();
  if (offlineMinutesMin === 0) return null;
  return (
    <FilterPill label={t('list.offlineAny')} onRemove={() => onChange({ offlineMinutesMin: 0 })}>
      {sayAbsence(offlineMinutesMin)}
    </FilterPill>
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

export function OfflineChoice({ search: { offlineMinutesMin }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  const sayAbsence = useAbsence();
  return (
    <RadioChoice
      label={t('field.lastSeen')}
      value={String(offlineMinutesMin)}
      options={[
        { value: '0', label: t('list.anyTime') },
        ...absences.map((minutes) => ({ value: String(minutes), label: sayAbsence(minutes) })),
      ]}
      onChange={(minutes) => onChange({ offlineMinutesMin: Number(minutes) })}
    />
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

function RadioChoice({ label, value, options, onChange }: RadioProps) {
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

const updateTexts = {
  'waiting,running': 'list.updateUnderWay',
  'returned,failed': 'list.updateFailed',
} as const;

export function UpdateFilter({ search: { agentUpdate }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (!agentUpdate) return null;
  return (
    <FilterPill label={t('list.showAnyUpdate')} onRemove={() => onChange({ agentUpdate: undefined })}>
      {`${t('field.agentUpdate')}: ${t(updateTexts[agentUpdate])}`}
    </FilterPill>
  );
}

export function UpdateChoice({ search: { agentUpdate }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  return (
    <RadioChoice
      label={t('field.agentUpdate')}
      value={agentUpdate ?? ''}
      options={[
        { value: '', label: t('list.anyUpdate') },
        ...updateStates.map((value) => ({ value, label: t(updateTexts[value]) })),
      ]}
      onChange={(value) => onChange({ agentUpdate: updateStates.find((state) => state === value) })}
    />
  );
}

export function PlaceFilter({ search: { located }, onChange }: FilterProps) {
  const { t } = useTranslation('controllers');
  if (!located) return null;
  return (
    <FilterPill label={t('list.anyPlace')} onRemove={() => onChange({ located: undefined })}>
      {t('list.unlocated')}
    </FilterPill>
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
