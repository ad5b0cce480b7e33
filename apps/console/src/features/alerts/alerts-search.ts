import { type AlertState, limits } from '@pult/contract';

/** What the history shows; it lives in the address. */
export interface AlertsSearch {
  page: number;
  pageSize: number;
  serialNumber: string;
  /** Undefined: all. */
  state: AlertState | undefined;
}

export const emptySearch: AlertsSearch = {
  page: 1,
  pageSize: limits.pageSizeDefault,
  serialNumber: '',
  state: undefined,
};

// Written out and not the contract's own list, which would bring the validation of the whole API into the page.
export const states = ['firing', 'resolved'] as const satisfies readonly AlertState[];

type RawSearch = Readonly<Record<string, string | undefined>>;

function integer(value: string | undefined, fallback: number, maximum: number): number {
  return value !== undefined && /^\d{1,9}$/.test(value)
    ? Math.min(Math.max(Number(value), 1), maximum)
    : fallback;
}

/** Anything else that an address may hold falls back to the default: a hand-made link shows a list, not an error. */
export function readAlertsSearch(raw: RawSearch): AlertsSearch {
  return {
    page: integer(raw.page, emptySearch.page, limits.pageMax),
    pageSize: integer(raw.page_size, emptySearch.pageSize, limits.pageSizeMax),
    serialNumber: (raw.serial_number ?? '').slice(0, limits.filterLength),
    state: states.find((state) => state === raw.state),
  };
}

/** The part of the address: only what differs from the default. */
export function writeAlertsSearch(search: AlertsSearch): Record<string, string> {
  const { page, pageSize, serialNumber, state } = search;
  return {
    ...(state ? { state } : {}),
    ...(serialNumber ? { serial_number: serialNumber } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
    ...(pageSize === emptySearch.pageSize ? {} : { page_size: String(pageSize) }),
  };
}

export function isFiltered({ serialNumber, state }: AlertsSearch): boolean {
  return serialNumber !== '' || state !== undefined;
}
