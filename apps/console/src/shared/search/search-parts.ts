import type { OrderBy } from '@pult/contract';
import { limits } from '@pult/contract/values';
import type { Filters } from '../api/query-keys.ts';

export type RawSearch = Readonly<Record<string, unknown>>;

/** One thing that an address says, and how. */
export interface SearchPart<Value> {
  /** What an address without it means; also one with something else: an old or hand-made link shows a list, not an error. */
  initial: Value;
  /** What the address calls it, where that is not its own name in the API's spelling; the functions are given the first. */
  parameters?: readonly [string, ...string[]];
  read(raw: RawSearch, parameter: string): Value;
  /** Nothing for the initial value, so that a plain page has a plain address. */
  write(value: Value, parameter: string): Record<string, string>;
  /** The same as the API is asked, where that is not what the address says. */
  ask?(value: Value, parameter: string): Filters;
  /** Changed while somebody types: such a change leaves no history. */
  isTyped?: true;
  /** A place in what is shown, or how it is shown: it leaves nothing out, so a reset of the filters keeps it. */
  isView?: true;
  /** Any other change leads back to the initial value. */
  isPosition?: true;
}

function textOf(raw: unknown): string {
  return typeof raw === 'string' || typeof raw === 'number' ? String(raw) : '';
}

/** Where in a list one is, from 1, and how many rows a page has. */
export function paging() {
  const ask = (value: number, parameter: string) => ({ [parameter]: value });
  return {
    page: { ...integer(1, limits.pageMax), ask, isView: true, isPosition: true },
    // Of 0 the server decides (spec-coverage: Default page size in queries: 0).
    pageSize: { ...integer(0, limits.pageSizeMax), ask, isView: true },
  } as const;
}

/** A whole number above 0; 0 stands for none. As a size of pages 0 is the server's own. */
export function integer(initial: number, maximum: number): SearchPart<number> {
  return {
    initial,
    read: (raw, parameter) => {
      const value = textOf(raw[parameter]);
      return /^0*[1-9]\d{0,14}$/.test(value) ? Math.min(Number(value), maximum) : initial;
    },
    write: (value, parameter) => (value === initial ? {} : { [parameter]: String(value) }),
    ask: (value, parameter) => ({ [parameter]: value || undefined }),
  };
}

/** Whatever somebody types, up to what the API takes. */
export function text(): SearchPart<string> {
  return {
    initial: '',
    isTyped: true,
    read: (raw, parameter) => textOf(raw[parameter]).slice(0, limits.filterLength),
    write: (value, parameter) => (value === '' ? {} : { [parameter]: value }),
    ask: (value, parameter) => ({ [parameter]: value.trim() || undefined }),
  };
}

/** One of the values; without an initial one, undefined stands for any of them. */
export function oneOf<const Value extends string>(values: readonly Value[]): SearchPart<Value | undefined>;
export function oneOf<const Value extends string>(
  values: readonly Value[],
  initial: NoInfer<Value>,
): SearchPart<Value>;
export function oneOf<Value extends string>(values: readonly Value[], initial?: Value) {
  return {
    initial,
    read: (raw: RawSearch, parameter: string) => values.find((value) => value === raw[parameter]) ?? initial,
    write: (value: Value | undefined, parameter: string) =>
      value === undefined || value === initial ? {} : { [parameter]: value },
    ask: (value: Value | undefined, parameter: string) => ({ [parameter]: value }),
  };
}

/** Any of the values, in their order; none of them stands for all. */
export function someOf<const Value extends string>(values: readonly Value[]): SearchPart<readonly Value[]> {
  return {
    initial: [],
    read: (raw, parameter) => {
      const chosen = textOf(raw[parameter]).split(',');
      return values.filter((value) => chosen.includes(value));
    },
    write: (chosen, parameter) => (chosen.length > 0 ? { [parameter]: chosen.join(',') } : {}),
  };
}

const idForm = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Ids of any things, each once. */
export function ids(maximum: number): SearchPart<readonly string[]> {
  return {
    initial: [],
    read: (raw, parameter) => {
      const named = textOf(raw[parameter]).split(',');
      return [...new Set(named.filter((id) => idForm.test(id)))].slice(0, maximum);
    },
    write: (chosen, parameter) => (chosen.length > 0 ? { [parameter]: chosen.join(',') } : {}),
  };
}

/** On where the address has `true`. */
export function flag(): SearchPart<boolean> {
  return {
    initial: false,
    read: (raw, parameter) => raw[parameter] === 'true',
    write: (isOn, parameter) => (isOn ? { [parameter]: 'true' } : {}),
    ask: (isOn, parameter) => ({ [parameter]: isOn || undefined }),
  };
}

/** As the API's `ordering` has it: a key, `-` before it for descending. */
function formatOrder({ key, descending }: OrderBy<string>): string {
  return `${descending ? '-' : ''}${key}`;
}

export function order<const Key extends string>(
  keys: readonly Key[],
  initial: OrderBy<NoInfer<Key>>,
): SearchPart<OrderBy<Key>> {
  return {
    initial,
    isView: true,
    read: (raw, parameter) => {
      const value = textOf(raw[parameter]);
      const descending = value.startsWith('-');
      const key = keys.find((allowed) => allowed === value.slice(descending ? 1 : 0));
      return key === undefined ? initial : { key, descending };
    },
    write: (value, parameter) =>
      formatOrder(value) === formatOrder(initial) ? {} : { [parameter]: formatOrder(value) },
    ask: (value, parameter) => ({ [parameter]: formatOrder(value) }),
  };
}
