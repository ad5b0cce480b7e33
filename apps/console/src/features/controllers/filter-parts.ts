import {
  type AtLeastFilter,
  atLeastFilters,
  type ChoiceFilter,
  type ChoiceOf,
  type ContainsFilter,
  choiceFilters,
  containsFilters,
  controllerFields,
  limits,
  listChoices,
} from '@pult/contract/values';
import type { ValuesOf } from '../../shared/search/define-search.ts';
import { integer, oneOf, type SearchPart, text } from '../../shared/search/search-parts.ts';

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
export const updateStates = ['waiting,running', 'returned,failed'] as const;

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;
export function toCamelCase<Name extends string>(name: Name): CamelCase<Name> {
  // What the type says.
  return name.replace(/_[a-z]/g, ([, letter = '']) => letter.toUpperCase()) as CamelCase<Name>;
}

export const toMinimum = <Name extends string>(name: Name) => `${toCamelCase(name)}Min` as const;

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
