/** The real agents of the demo: what they are, and how they come into its organization. */

import { type Client, createClient, type Group } from '@pult/contract';
import { PlainError } from './terminal.mjs';

export interface DemoAgent {
  serialNumber: string;
  description: string;
  /** Where a group of that name is, it is put in there. */
  group: string;
  latitude: number;
  longitude: number;
}

export const demoAgents: readonly DemoAgent[] = [
  {
    serialNumber: 'DEMO-BOILER',
    description: 'Котельная, Тверская ул., 7 (агент)',
    group: 'Москва',
    latitude: 55.7601,
    longitude: 37.6112,
  },
  {
    serialNumber: 'DEMO-PUMP',
    description: 'Pump station, 3 Harbour Way (agent)',
    group: 'London',
    latitude: 51.5033,
    longitude: -0.0195,
  },
  {
    serialNumber: 'DEMO-SCHOOL',
    description: 'Школа № 5, ул. Баумана, 19 (агент)',
    group: 'Казань',
    latitude: 55.7889,
    longitude: 49.1189,
  },
];

/** Calls of the administrator. Logs in when it is first needed. */
export function createAdministrator(account: { publicUrl: string; email: string; password: string }): Client {
  const options = { baseUrl: account.publicUrl, getLocale: () => 'en' as const };
  const body = { username: account.email, password: account.password };
  let login: Promise<{ access: string }> | undefined;
  const fetchWithAccess: typeof fetch = async (input, init) => {
    login ??= createClient(options)('login', { body });
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${(await login).access}`);
    return fetch(input, { ...init, headers });
  };
  return createClient({ ...options, fetch: fetchWithAccess });
}

/** Claims the controller by the link that its agent shows, and describes it. */
export async function claimAgent(call: Client, agent: DemoAgent, activationLink: string): Promise<void> {
  const { serialNumber, group, ...place } = agent;
  const token = new URL(activationLink).searchParams.get('token') ?? '';
  const [organization] = await call('listOrganizations');
  if (!organization)
    throw new PlainError('the administrator has no organization any more: npm run demo -- --fresh');
  await call('activateController', { body: { token, organization: organization.id } });
  const found = findGroup(await call('listGroups', { query: { organization_id: organization.id } }), group);
  const body = { ...place, ...(found ? { group: found.id } : {}) };
  await call('updateController', { params: { serialNumber }, body });
}

function findGroup(groups: Group[], name: string): Group | undefined {
  for (const group of groups) {
    const found = group.name === name ? group : findGroup(group.subgroups, name);
    if (found) return found;
  }
  return undefined;
}
