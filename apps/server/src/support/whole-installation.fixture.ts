import { randomBytes } from 'node:crypto';
import { type CookieJar, HttpClient } from '@pult/testkit';
import { createTestDevice, enrolTestDevice, type TestAnswer, tokenOf } from '@pult/testkit/in-process';
import { addToken } from '../features/accounts/tokens/tokens.fixture.ts';
import { enableTotp } from '../features/accounts/totp-user.fixture.ts';
import { HostileProvider } from '../features/sign-in/hostile-provider.fixture.ts';
import { Browser, setProvider } from '../features/sign-in/sign-in.fixture.ts';
import { startUpstream, type TunnelFixture } from '../features/tunnels/tunnel.fixture.ts';

/** What nobody but its owner may know, by the column that keeps it, or proves it. */
export type KeptSecrets = Readonly<Record<string, readonly string[]>>;

/** Columns of bytes that hold no secret, and those whose secret no log of the server is told. */
export const columnsWithout: Readonly<Record<string, string>> = {
  'acme_accounts.key': 'PEM, which is hidden wherever it stands',
  'acme_certificates.key': 'PEM, which is hidden wherever it stands',
  'audit_events.fold_key': 'a hash of what the row says',
  'controllers.ssh_host_key': 'public',
  'device_events.version': 'of a row',
  'device_logins.user_code_hash': 'of eight letters that a person types: told with device_hash',
  'diagnostics.sha256': 'of an archive',
  'enrolments.public_key': 'public',
  'enrolments.return_token_hash': 'in a header of the link, of which the log has none',
  'grafana_accesses.cookie_hash': 'of 43 characters, as those of tunnels',
  'grafana_accesses.ticket_hash': 'of 43 characters, as those of tunnels',
  'history_chunks.data': 'numbers and states of controls, packed',
  'history_hours.data': 'numbers and states of controls, packed',
  'history_incoming.data': 'numbers and states of controls, packed',
  'known_devices.device_hash': 'of a browser and its network',
  'passkeys.credential_id': 'public',
  'passkeys.public_key': 'public',
  'sealed_secrets.content': 'what secrets.json holds elsewhere',
  'ssh_keys.blob': 'public',
  'ssh_keys.digest': 'public',
  'used_challenges.nonce': 'public',
};

const random = (prefix: string) => `${prefix}-${randomBytes(12).toString('hex')}`;

/** Has one of each made, as people, programs and devices do, and tells them. */
export async function fillInstallation(t: TunnelFixture): Promise<KeptSecrets> {
  const { server, owner, organization } = t;
  const headers = { cookie: owner.cookie, origin: server.publicUrl };
  const params = { organizationId: organization };
  const expect2xx = (answer: TestAnswer, what: string) => {
    if (answer.status >= 300) throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as Record<string, string>;
  };
  const call = async (name: Parameters<typeof server.call>[0], options: object) =>
    expect2xx(await server.call(name, { headers, ...options }), name);

  const withTotp = await enableTotp(server, await server.createUser());
  const halfway = await server.createUser();
  const ofHalfway = { headers: { cookie: halfway.cookie, origin: server.publicUrl } };
  const setup = await call('setUpTotp', ofHalfway);
  const { token } = await addToken(server, owner, ['controllers.read']);
  const device = await call('startDeviceLogin', { headers: {}, body: { scopes: ['controllers.read'] } });

  // Links in mails.
  const forgetful = await server.createUser();
  await call('requestPasswordReset', { headers: {}, body: { email: forgetful.email } });
  const chosen = random('Password');
  await call('signUp', { headers: {}, body: { userEmail: 'new@example.com', userPassword: chosen } });
  await call('inviteUser', { params, body: { email: 'guest@example.com' } });
  const mails = await server.readMails();
  const linkOf = (to: string) => {
    const mail = mails.find((each) => each.to === to && /https?:/.test(JSON.stringify(each)));
    const found = /[\w-]{43}/.exec(JSON.stringify(mail ?? ''))?.[0];
    if (!found) throw new Error(`no mail to ${to} has a link`);
    return found;
  };

  // A provider, one who has come by it, and one who is on the way.
  await using provider = await HostileProvider.start();
  provider.refreshToken = random('refresh');
  const clientSecret = random('client');
  const { issuer, clientId } = provider;
  expect2xx(await setProvider(server, owner, organization, { issuer, clientId, clientSecret }), 'provider');
  const member = await server.createUser();
  await server.addMember(organization, member, 'member');
  provider.subject = member.id;
  const signedIn = new Browser(server);
  await provider.signIn(signedIn, organization);
  const own = { username: member.email, password: member.password };
  expect2xx(await signedIn.call('completeSignIn', { body: own }), 'completeSignIn');
  provider.subject = 'of somebody who has no account here';
  const answered = new Browser(server);
  await provider.signIn(answered, organization);
  const coming = new Browser(server);
  const begun = expect2xx(await coming.begin(organization), 'beginSignIn');
  const cookiesOf = ({ jar }: { jar: CookieJar }) =>
    (jar.getHeader(new URL(server.publicUrl).host) ?? '')
      .split('; ')
      .map((one) => one.replace(/^[^=]*=/, ''));

  // Devices and what is opened to them.
  const unclaimed = createTestDevice('UNCLAIMED-1');
  const enrolment = await call('createEnrolmentKey', {
    params,
    body: { name: 'Factory', maxUses: 5, expiresAt: inDays(1, server.clock.now()) },
  });
  const upstream = await startUpstream((_, response) => response.end('ok'));
  const linked = await t.addDevice('LINKED-1', { endpoints: { http: upstream.port } });
  const { serialNumber } = linked;
  const ticket = await t.openTunnel(linked, 'http');
  const opened = await new HttpClient().request((await t.openTunnel(linked, 'http')).url);
  opened.body.resume();
  const tunnelCookies = (opened.headers['set-cookie'] ?? []).map((each) => /=([^;]*)/.exec(each)?.[1] ?? '');
  const guest = await call('createGuestLink', {
    params: { serialNumber },
    body: { service: 'http', name: 'Guest', expiresAt: inDays(1, server.clock.now()) },
  });

  // Receivers of messages, which nobody answers for.
  const nowhere = 'http://127.0.0.1:1';
  const slackUrl = `${nowhere}/services/${random('slack')}`;
  const telegramToken = `123456789:AA${randomBytes(24).toString('base64url')}`;
  const hook = `${nowhere}/${random('hook')}`;
  const rule = await call('createAlertRule', {
    params,
    body: { minutes: 1, telegramChatId: '-1', telegramToken, slackUrl, webhookUrl: hook },
  });
  const webhook = await call('createWebhook', { params, body: { name: 'SIEM', url: hook } });
  await call('testAlertRule', { params: { ...params, ruleId: rule.id ?? '' } });
  await call('testWebhook', { params: { ...params, webhookId: webhook.id ?? '' } });
  upstream.close();

  const lastOf = (url = '') => new URL(url).hash.slice(1);
  return {
    'users.password_hash': [owner.password],
    'pending_sign_ups.password_hash': [chosen],
    'users.totp_secret': [withTotp.secret],
    'sessions.token_hash': [owner.cookie, withTotp.cookie].map((cookie) => cookie.replace(/^[^=]*=/, '')),
    'sessions.totp_setup_secret': [setup.secret ?? ''],
    'sessions.refresh_token': [provider.refreshToken],
    'access_tokens.id': [token],
    'device_logins.device_hash': [device.deviceCode ?? ''],
    'recovery_codes.code_hash': withTotp.recoveryCodes,
    'password_resets.token_hash': [linkOf(forgetful.email)],
    'pending_sign_ups.token_hash': [linkOf('new@example.com')],
    'invites.token_hash': [linkOf('guest@example.com')],
    'deliveries.content': mails.flatMap(({ action }) => (action ? [action.url] : [])),
    'identity_providers.client_secret': [clientSecret],
    'pending_sign_ins.token_hash': cookiesOf(coming),
    'pending_sign_ins.answer': [...cookiesOf(answered), ...cookiesOf(signedIn)],
    'pending_sign_ins.state_hash': [new URL(begun.url ?? '').searchParams.get('state') ?? ''],
    'enrolments.handle': [tokenOf(await enrolTestDevice(server, unclaimed))],
    'enrolment_keys.key_hash': [enrolment.key ?? ''],
    'tunnels.ticket_hash': [new URL(ticket.url).search.split('=')[1] ?? ''],
    'tunnels.cookie_hash': tunnelCookies,
    'guest_links.token_hash': [lastOf(guest.url)],
    'guest_links.pin_hash': [guest.pin ?? ''],
    'alert_rule_channels.settings': [telegramToken, slackUrl, hook],
    'webhooks.receiver': [webhook.secret ?? '', hook],
  };
}

const inDays = (days: number, now: Date) => new Date(now.getTime() + days * 86_400_000).toISOString();
