import { type GrafanaStandIn, HttpClient, startGrafana } from '@pult/testkit';
import {
  createListeningServer,
  type ListeningServer,
  type TestServerOptions,
  type TestUser,
} from '@pult/testkit/in-process';

/** A server with an organization, and a stand-in for Grafana that it administers. */
export interface GrafanaFixture {
  server: ListeningServer;
  grafana: GrafanaStandIn;
  owner: TestUser;
  organization: string;
  /** Of Grafana as browsers see it. */
  origin: string;
  addUser(role: 'viewer' | 'member' | 'admin' | 'owner'): Promise<TestUser>;
  /** What `grafana-access/` answers. */
  ask(as: TestUser, organization?: string): Promise<{ status: number; url: string; code: string }>;
  /** A browser that is logged in at the console as this user. */
  createBrowser(as: TestUser): HttpClient;
  /** Goes where a browser would, through the console's host, until a page of Grafana answers. */
  visit(browser: HttpClient, url: string): Promise<{ status: number; body: string; path: string }>;
  /** Makes Grafana as it should be, as the job does. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export async function createGrafanaFixture(options: TestServerOptions = {}): Promise<GrafanaFixture> {
  const grafana = await startGrafana();
  const server = await createListeningServer({
    ...options,
    environment: {
      GRAFANA_URL: grafana.url,
      GRAFANA_ADMIN_USER: grafana.adminUser,
      GRAFANA_ADMIN_PASSWORD: grafana.adminPassword,
      ...options.environment,
    },
    timing: { grafanaCheckMs: 100, ...options.timing },
  });
  const owner = await server.createUser();
  const organization = await server.createOrganization(owner, 'Дом');
  const { publicUrl } = server;
  const html = { accept: 'text/html' };

  const fixture: GrafanaFixture = {
    server,
    grafana,
    owner,
    organization,
    origin: `http://grafana.localhost:${server.port}`,
    async addUser(role) {
      const user = await server.createUser();
      await server.addMember(organization, user, role);
      return user;
    },
    async ask(as, organizationId = organization) {
      const answer = await server.call('getGrafanaAccess', { as, params: { organizationId } });
      const { grafanaUrl = '', code = '' } = answer.body as Record<string, string>; // checked by the server
      return { status: answer.status, url: grafanaUrl, code };
    },
    createBrowser(as) {
      const browser = new HttpClient();
      browser.cookies.store('localhost', [`${as.cookie}; Path=/`]);
      return browser;
    },
    async visit(browser, url) {
      const first = await browser.request(url, { headers: html });
      const { location } = first.headers;
      if (first.status !== 302 || !location)
        return { status: first.status, body: await first.text(), path: url };
      const pass = await browser.request(location, { headers: html });
      const page = await pass.text();
      if (pass.status !== 200) return { status: pass.status, body: page, path: location };
      const [, target = '', ticket = ''] = /action="([^"]+)".*value="([^"]+)"/.exec(page) ?? [];
      const opened = await browser.request(target, {
        method: 'POST',
        headers: { ...html, origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams({ ticket })),
      });
      const path = opened.headers.location ?? '';
      if (opened.status !== 303) return { status: opened.status, body: await opened.text(), path };
      const last = await browser.request(new URL(path, target).href, { headers: html });
      return { status: last.status, body: await last.text(), path };
    },
    async sync() {
      await server.server.jobs.find(({ name }) => name === 'sync-grafana')?.run();
    },
    async close() {
      await server.close();
      await grafana.stop();
    },
  };
  return fixture;
}
