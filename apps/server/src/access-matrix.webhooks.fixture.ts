import type { Entry, Matrix } from './access-matrix.organizations.fixture.ts';
import { createId } from './testing.ts';

/** The calls about webhooks. */
export function createWebhookEntries(matrix: () => Matrix) {
  const outsider = 'organization_not_found';
  const atOrganization = async () => ({ params: { organizationId: matrix().organization } });

  /** Its key is lost, so that nothing is sent. */
  async function prepareWebhook() {
    const { server, organization: organization_id } = matrix();
    await server.db.deleteFrom('webhooks').where('organization_id', '=', organization_id).execute();
    const id = createId();
    const own = { id, organization_id, name: 'SIEM', created_by: null, created_at: server.clock.now() };
    await server.db
      .insertInto('webhooks')
      .values({ ...own, receiver: Buffer.from('unreadable'), events: ['tunnel.opened'], enabled: true })
      .execute();
    return { params: { organizationId: organization_id, webhookId: id } };
  }

  async function prepareDelivery() {
    const { server } = matrix();
    const { params } = await prepareWebhook();
    const { webhookId } = params;
    const sent = await server.server.deliveries.sendNow({
      channel: 'event-webhook',
      kind: 'test',
      webhookId,
      content: { type: 'pult.test', source: server.publicUrl, time: '2026-11-25T00:00:00Z', data: {} },
    });
    return { params: { ...params, deliveryId: sent?.id ?? createId() } };
  }

  return {
    listWebhooks: { prepare: atOrganization, outsider },
    createWebhook: {
      async prepare() {
        await prepareWebhook();
        return { ...(await atOrganization()), body: { name: 'SIEM', url: 'https://hook.example.com/' } };
      },
      outsider,
    },
    updateWebhook: {
      prepare: async () => ({ ...(await prepareWebhook()), body: { enabled: false } }),
      outsider,
    },
    deleteWebhook: { prepare: prepareWebhook, outsider },
    testWebhook: { prepare: prepareWebhook, outsider },
    listWebhookDeliveries: { prepare: prepareWebhook, outsider },
    getWebhookDelivery: { prepare: prepareDelivery, outsider },
    repeatWebhookDelivery: { prepare: prepareDelivery, outsider },
  } satisfies Record<string, Entry>;
}
