/** The real agents of the demo: what they are, and how they come into its organization. */

import { PlainError } from './terminal.mjs';

/** Where a group of that name is, it is put in there. */
export const demoAgents = [
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
export function createAdministrator({ publicUrl, email, password }) {
  let access;
  async function send(method, path, body) {
    const response = await fetch(`${publicUrl}/api/v1/${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'accept-language': 'en',
        ...(access ? { authorization: `Bearer ${access}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new PlainError(`${method} ${path} answered ${response.status}: ${text}`);
    return text ? JSON.parse(text) : undefined;
  }
  return async (method, path, body) => {
    access ??= (await send('POST', 'auth/token/', { username: email, password })).access;
    return send(method, path, body);
  };
}

/** Claims the controller by the link that its agent shows, and describes it. */
export async function claimAgent(call, { serialNumber, group, ...place }, activationLink) {
  const token = new URL(activationLink).searchParams.get('token');
  const [organization] = await call('GET', 'organizations/');
  if (!organization)
    throw new PlainError('the administrator has no organization any more: npm run demo -- --fresh');
  await call('POST', 'controllers-activation/activate/', { token, organization: organization.id });
  const groups = await call('GET', `groups/?organization_id=${organization.id}`);
  const found = findGroup(groups, group);
  await call('PATCH', `controllers/${serialNumber}/`, { ...place, ...(found ? { group: found.id } : {}) });
}

function findGroup(groups, name) {
  for (const group of groups) {
    const found = group.name === name ? group : findGroup(group.subgroups, name);
    if (found) return found;
  }
  return undefined;
}
