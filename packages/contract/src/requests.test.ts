import { describe, expect, it } from 'vitest';
import { routes } from './routes/index.ts';
import { emailAddress, id, secret, serialNumber } from './schemas/text.ts';

const uuid = '0192f0c1-0000-7000-8000-00000000000a';
const other = '0192f0c1-0000-7000-8000-00000000000b';
const day = { start: '2026-01-02T00:00:00Z', stop: '2026-01-03T00:00:00Z' };
const login = { username: 'a@example.com', password: 'x' };
const rule = { members: [] };
const metric = { name: 'load15' };

const bodies = {
  login: routes.login.body,
  activateTotp: routes.activateTotp.body,
  verifyTotp: routes.verifyTotp.body,
  changePassword: routes.changePassword.body,
  createAlertRule: routes.createAlertRule.body,
  createService: routes.createService.body,
  attach: routes.attachControllers.body,
  detach: routes.detachControllers.body,
  invite: routes.inviteUser.body,
  openTunnel: routes.openTunnel.body,
  map: routes.mapControllers.query,
  list: routes.listControllers.query,
  metrics: routes.querySystemMetrics.body,
  serialNumber,
  emailAddress,
  id,
  secret: secret(10),
} as const;
type Name = keyof typeof bodies;

const read = (name: Name, value: unknown) => bodies[name].safeParse(value);

/** Names of the fields that are to blame, with the code where the rule is ours. */
function blame(name: Name, value: unknown): string[] {
  const { error } = read(name, value);
  return (error?.issues ?? []).map(({ code, path, message }) =>
    [path.join('.'), ...(code === 'custom' ? [message] : [])].filter(Boolean).join(' '),
  );
}

/** What a rule has without a word of a chat. */
const noChats = { telegramChatId: null, telegramLocale: 'ru', slackUrl: null, slackLocale: 'ru' };

describe('what a request says', () => {
  it.each<[Name, unknown, unknown]>([
    // Code apps group the digits, and mail programs capitalise what one types.
    ['login', { ...login, totpCode: '123 456' }, { ...login, totpCode: '123456' }],
    ['login', { ...login, recoveryCode: 'ab-cd ef' }, { ...login, recoveryCode: 'abcdef' }],
    [
      'login',
      { username: ' Ann@Example.COM ', password: ' x ' },
      { username: 'ann@example.com', password: ' x ' },
    ],
    ['activateTotp', { code: ' 1-2 3\t4' }, { code: '1234' }],
    [
      'createAlertRule',
      rule,
      { group: null, enabled: true, minutes: 10, members: [], webhookUrl: null, ...noChats },
    ],
    [
      'createAlertRule',
      { members: [uuid, uuid.toUpperCase(), other], webhookUrl: 'HTTPS://hooks.example/x' },
      {
        group: null,
        enabled: true,
        minutes: 10,
        members: [uuid, other],
        webhookUrl: 'HTTPS://hooks.example/x',
        ...noChats,
      },
    ],
    [
      'createService',
      { port: 65535, name: ' Node-RED ' },
      { port: 65535, name: 'Node-RED', scheme: 'http', hostHeader: null },
    ],
    ...[
      ['localhost', 'localhost'],
      [' Printer.Local:631 ', 'printer.local:631'],
      ['my_service', 'my_service'],
      ['192.168.1.5:80', '192.168.1.5:80'],
      ['[::1]:8384', '[::1]:8384'],
    ].map(([typed, hostHeader]): [Name, unknown, unknown] => [
      'createService',
      { port: 1, name: 'x', scheme: 'https', hostHeader: typed },
      { port: 1, name: 'x', scheme: 'https', hostHeader },
    ]),
    ['invite', { email: ' Ann@Example.com' }, { email: 'ann@example.com', role: 'member' }],
    ['openTunnel', undefined, undefined],
    ['openTunnel', { path: '/a/?b=c#d' }, { path: '/a/?b=c#d' }],
    ['attach', { controllers: ['ab-1'] }, { controllers: ['AB-1'] }],
    [
      'attach',
      { filter: { latitude_min: 5, located: true } },
      { filter: { latitude_min: 5, located: true } },
    ],
    ['detach', { filter: { organization_id: uuid } }, { filter: { organization_id: uuid } }],
    [
      'map',
      { zoom: '3.5', located: 'false', longitude_min: '-1e2' },
      { zoom: 3.5, located: false, longitude_min: -100 },
    ],
    ['list', { group_ids: `${uuid},${other.toUpperCase()}` }, { group_ids: [uuid, other] }],
    ['list', { firmware_known: 'true', ungrouped: 'false' }, { firmware_known: true, ungrouped: false }],
    ['metrics', { ...metric, ...day }, { ...metric, ...day }],
    [
      'metrics',
      { ...metric, start: day.start, stop: day.start },
      { ...metric, start: day.start, stop: day.start },
    ],
    ['serialNumber', 'a', 'A'],
    ['serialNumber', 'a-b-9', 'A-B-9'],
    ['emailAddress', 'A@B.example', 'a@b.example'],
    ['id', uuid.toUpperCase(), uuid],
    ['secret', ' a b ', ' a b '],
  ])('%s reads %j', (name, value, expected) => {
    expect(read(name, value)).toEqual({ success: true, data: expected });
  });

  it.each<[Name, unknown, string[]]>([
    ['login', { ...login, username: '' }, ['username']],
    ['changePassword', { oldPassword: 'x', newPassword: 'x'.repeat(7) }, ['newPassword']],
    ['changePassword', { oldPassword: '', newPassword: 'x'.repeat(12) }, ['oldPassword']],
    ['verifyTotp', { scope: 'nothing', code: '1' }, ['scope']],
    ['createAlertRule', { ...rule, minutes: 0 }, ['minutes']],
    ['createAlertRule', { ...rule, minutes: 1.5 }, ['minutes']],
    ['createAlertRule', { ...rule, webhookUrl: 'ftp://hooks.example/' }, ['webhookUrl webhook_url']],
    ['createAlertRule', { ...rule, slackUrl: 'hooks.slack.com/x' }, ['slackUrl webhook_url']],
    ['createAlertRule', { ...rule, slackLocale: 'de' }, ['slackLocale']],
    ['createAlertRule', { ...rule, telegramChatId: 'Boilers' }, ['telegramChatId telegram_chat']],
    ['createAlertRule', { ...rule, telegramChatId: '12; x' }, ['telegramChatId telegram_chat']],
    ['createAlertRule', { ...rule, telegramToken: '/../x' }, ['telegramToken telegram_token']],
    ['createAlertRule', { ...rule, webhookUrl: 'x http://hooks.example/' }, ['webhookUrl webhook_url']],
    ['createAlertRule', { ...rule, webhookUrl: 'http://ann@hooks.example/' }, ['webhookUrl webhook_url']],
    ['createAlertRule', { ...rule, webhookUrl: 'http://:pass@hooks.example/' }, ['webhookUrl webhook_url']],
    ['createAlertRule', { ...rule, webhookUrl: 'http://' }, ['webhookUrl webhook_url']],
    ['createService', { port: 0, name: 'x' }, ['port']],
    ['createService', { port: 65536, name: 'x' }, ['port']],
    ['createService', { port: 80.5, name: 'x' }, ['port']],
    ['createService', { port: 80, name: ' ' }, ['name']],
    ...[
      ...['', 'a b', 'a/b', 'a?b', 'a@b', 'a:b', 'a:', 'a:65536', 'http://a', 'a\r\nX-Y: z', 'принтер'],
      ...['[::1', 'a,b', '256.1.1.1', '1', 'a'.repeat(300)],
    ].map((hostHeader): [Name, unknown, string[]] => [
      'createService',
      { port: 80, name: 'x', hostHeader },
      hostHeader.length > 260 ? ['hostHeader'] : ['hostHeader host_header'],
    ]),
    ['attach', {}, ['controllers required']],
    ['attach', { controllers: ['A'], filter: {} }, ['controllers controllers_or_filter']],
    ['attach', { controllers: [] }, ['controllers']],
    ['attach', { filter: [] }, ['filter']],
    ['attach', { filter: null }, ['filter']],
    ['attach', { filter: { latitude_min: '9', latitude_max: '8' } }, ['filter.latitude_min bounds_reversed']],
    ['detach', { filter: {} }, ['filter organization_required']],
    ['invite', { email: 'ann' }, ['email']],
    ['invite', { email: 'a@b.example', role: 'king' }, ['role']],
    ['openTunnel', { path: 'a' }, ['path']],
    ['openTunnel', { path: '//evil.example' }, ['path']],
    ['openTunnel', { path: '/\\evil.example' }, ['path']],
    ['openTunnel', { path: '/a b' }, ['path']],
    ['openTunnel', { path: '/a\\b' }, ['path']],
    ['openTunnel', { path: '/a\u0007' }, ['path']],
    ['map', { zoom: '-1' }, ['zoom']],
    ['map', { zoom: '1e' }, ['zoom']],
    ['map', { located: 'yes' }, ['located']],
    ['map', { latitude_max: '90.5' }, ['latitude_max']],
    ['list', { group_ids: 'a' }, ['group_ids.0']],
    ['metrics', { ...metric, start: day.stop, stop: day.start }, ['stop period_reversed']],
    ['metrics', { ...metric, start: 'yesterday', stop: day.stop }, ['start']],
    ['serialNumber', 'A-', ['serial_number']],
    ['serialNumber', '-A', ['serial_number']],
    ['serialNumber', 'AB--C', ['serial_number']],
    ['serialNumber', 'A\n', ['serial_number']],
    ['serialNumber', ' A', ['serial_number']],
    ['secret', '', ['']],
    ['secret', 'x'.repeat(11), ['']],
    ['secret', 'a\u0000', ['control_characters']],
  ])('%s refuses %j', (name, value, expected) => {
    expect(blame(name, value)).toEqual(expected);
  });

  it.each([
    [{ code: '123456' }, []],
    [{ recoveryCode: 'abc' }, []],
    [{ code: '123456', recoveryCode: 'abc' }, ['code code_or_recovery_code']],
    [{}, ['code code_or_recovery_code']],
  ])('a confirmation holds one code, of either kind: %j', (codes, expected) => {
    expect(blame('verifyTotp', { scope: 'delete_controller', ...codes })).toEqual(expected);
  });
});
