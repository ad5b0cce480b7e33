import type { Entry, Matrix } from './access-matrix.organizations.fixture.ts';
import { createWebhookEntries } from './access-matrix.webhooks.fixture.ts';
import { createId } from './testing.ts';

/** The calls about alerts, their rules, and webhooks. */
export function createAlertEntries(matrix: () => Matrix) {
  const outsider = 'organization_not_found';
  const atOrganization = async () => ({ params: { organizationId: matrix().organization } });

  /** The organization has no rule: there may be one, and a hundred for its groups. */
  async function prepareNone() {
    const { server, organization } = matrix();
    await server.db.deleteFrom('alert_rules').where('organization_id', '=', organization).execute();
    return { params: { organizationId: organization }, body: { minutes: 5 } };
  }

  async function prepareRule() {
    const { server, organization: organization_id } = matrix();
    await prepareNone();
    const id = createId();
    const now = server.clock.now();
    await server.db
      .insertInto('alert_rules')
      .values({
        id,
        organization_id,
        group_id: null,
        enabled: true,
        minutes: 10,
        effective_from: now,
        created_at: now,
      })
      .execute();
    return { params: { organizationId: organization_id, ruleId: id } };
  }

  return {
    ...createWebhookEntries(matrix),
    listAlertRules: { prepare: atOrganization, outsider },
    createAlertRule: { prepare: prepareNone, outsider },
    updateAlertRule: {
      prepare: async () => ({ ...(await prepareRule()), body: { minutes: 20 } }),
      outsider,
    },
    deleteAlertRule: { prepare: prepareRule, outsider },
    testAlertRule: { prepare: prepareRule, outsider },
    listAlerts: { prepare: atOrganization, outsider },
  } satisfies Record<string, Entry>;
}
