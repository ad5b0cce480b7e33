import { type Alert, type AlertRule, alertRule, type Role } from '@pult/contract';
import { screen, within } from '@testing-library/react';
import { type Answers, organization } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

export const path = `/organizations/${organization.id}/alerts`;
export const rulesPath = `/organizations/${organization.id}/settings/notifications`;
export const groupId = '01890a5d-ac96-774b-bcce-b302099a8111';
export const person = { userId: '01890a5d-ac96-774b-bcce-b302099a8112', email: 'anna@example.com' };

/** Whatever channels there are: it uses none of them. */
const unused = Object.fromEntries(
  Object.keys(alertRule.shape).map((name) => [name, null]),
) as unknown as AlertRule; // All but the channels are set below.

export function makeRule(changes: Partial<AlertRule> = {}): AlertRule {
  return {
    ...unused,
    id: '01890a5d-ac96-774b-bcce-b302099a8113',
    group: null,
    enabled: true,
    minutes: 90,
    members: [person],
    createdAt: '2025-11-20T09:40:15Z',
    ...changes,
  };
}

export function makeAlert(changes: Partial<Alert> = {}): Alert {
  return {
    id: '01890a5d-ac96-774b-bcce-b302099a8114',
    controller: { serialNumber: 'A1B2C3D4', description: 'Boiler room' },
    group: { id: groupId, name: 'North' },
    kind: 'offline',
    offlineSince: '2025-11-20T09:00:00Z',
    traffic: null,
    firedAt: '2025-11-20T10:30:00Z',
    notifiedAt: '2025-11-20T10:31:00Z',
    isKept: false,
    resolvedAt: '2025-11-20T10:40:00Z',
    ...changes,
  };
}

interface Fixture {
  at?: string;
  role?: Role;
  rules?: AlertRule[];
  alerts?: Alert[];
  locale?: 'ru' | 'en';
  answers?: Answers;
}

export function open({
  at = path,
  role = 'admin',
  rules = [makeRule()],
  alerts = [],
  locale = 'en',
  answers,
}: Fixture = {}) {
  return renderConsole(at, {
    locale,
    answers: {
      listOrganizations: () => [{ ...organization, userRole: role }],
      getOrganization: () => ({ ...organization, userRole: role }),
      listAlertRules: () => rules,
      listAlerts: () => ({ count: alerts.length, next: null, previous: null, results: alerts }),
      listMembers: () => [
        { ...person, role: 'member', totpEnabled: false, joinedAt: '2025-11-20T09:40:15Z' },
      ],
      listGroups: () => [
        {
          id: groupId,
          name: 'North',
          parent: null,
          level: 0,
          organization: { id: organization.id },
          controllersCount: 1,
          subgroups: [],
        },
      ],
      ...answers,
    },
  });
}

/** The settings where the rules are made. */
export const openRules = (fixture: Fixture = {}) => open({ at: rulesPath, ...fixture });

export const row = async (name: string) =>
  within(await screen.findByRole('table', { name })).getAllByRole('row')[1]?.textContent;
