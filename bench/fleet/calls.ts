import type { Client } from '../site.ts';

export interface BenchCall {
  what: string;
  /** Path and query. */
  path: string;
  /** Milliseconds at the 95th percentile: on the embedded database, on PostgreSQL. */
  target?: readonly [number, number];
}

const listTarget = [60, 20] as const;

/** Every order and filter of the list, and every other figure that a page of a fleet needs. */
export async function createCalls(client: Client, organizationId: string): Promise<BenchCall[]> {
  const group = async (name: string) => {
    const { rows } = await client.query('select id from groups where name = $1', [name]);
    return String(rows[0]?.id);
  };
  const [region, object] = [await group('Регион 7'), await group('Объект 777')];
  const pathOf = (route: string, query: Record<string, string>) =>
    `/api/v1/${route}/?${new URLSearchParams({ organization_id: organizationId, ...query })}`;
  const list = (what: string, query: Record<string, string>): BenchCall => ({
    what: `list ${what}`,
    path: pathOf('controllers', query),
    target: listTarget,
  });
  const orders = [
    'serial_number',
    'description',
    'firmware_version',
    'group_name',
    'status',
    'last_seen_at',
    'activated_at',
  ];
  const city = { latitude_min: '55', latitude_max: '56', longitude_min: '37', longitude_max: '39' };
  return [
    // What a request costs without the fleet: a slow one tells of a busy machine.
    { what: 'for comparison: who am I', path: '/api/v1/users/me/' },
    ...orders.flatMap((key) => [
      list(`by ${key}`, { ordering: key }),
      list(`by -${key}`, { ordering: `-${key}` }),
    ]),
    {
      what: 'list of all organizations',
      path: '/api/v1/controllers/?ordering=-activated_at',
      target: listTarget,
    },
    list('page 2000', { page: '2000' }),
    list('page 3900 by group_name', { page: '3900', ordering: 'group_name' }),
    list('search, 1 match', { search: '№ 77777,' }),
    list('search, 1,100 matches', { search: '777' }),
    list('search, 2 letters', { search: 'wb' }),
    list('search, 20 % match', { search: 'ёлочная' }),
    list('search, none match', { search: 'nowhere' }),
    list('serial_number', { serial_number: 'A7C' }),
    list('description', { description: 'насосная' }),
    list('firmware_version', { firmware_version: 'wb-2459' }),
    list('group_name', { group_name: 'объект 12' }),
    list('status=offline', { status: 'offline' }),
    list('status=offline by -last_seen_at', { status: 'offline', ordering: '-last_seen_at' }),
    list('group of 20', { group_ids: object }),
    list('group of 4,500 with subgroups', { group_ids: region, ordering: 'description' }),
    list('ungrouped', { ungrouped: 'true' }),
    list('within a box', city),
    { what: 'count', path: pathOf('controllers-count', {}), target: listTarget },
    { what: 'count, search', path: pathOf('controllers-count', { search: 'насосная' }), target: listTarget },
    { what: 'tree of 5,000 groups', path: pathOf('groups', {}), target: [100, 100] },
    { what: 'tree, counts of a search', path: pathOf('groups', { search: 'насосная' }), target: [100, 100] },
    { what: 'map, whole world', path: pathOf('controllers-map', { zoom: '1' }), target: [300, 300] },
    { what: 'map, a region', path: pathOf('controllers-map', { ...city, zoom: '8' }), target: [300, 300] },
    { what: 'overview', path: `/api/v1/organizations/${organizationId}/overview/`, target: listTarget },
  ];
}
