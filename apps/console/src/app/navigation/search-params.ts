/** The query of an address as plain strings: `?serial_number=007` stays text. Of a repeated name the first counts. */
export type Search = Record<string, string>;

export function parseSearch(text: string): Search {
  const search: Search = {};
  for (const [name, value] of new URLSearchParams(text)) search[name] ??= value;
  return search;
}

/** Empty and absent values leave the address. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  return params.size > 0 ? `?${params}` : '';
}
