/** What a permission lets one do, for refusals and the scopes of tokens. */
export const ru = {
  organization: {
    read: 'посмотреть организацию',
    update: 'изменить организацию',
    delete: 'удалить организацию',
  },
  grants: { manage: 'выдать или снять доступ' },
  members: {
    read: 'посмотреть участников',
    invite: 'пригласить участника',
    manage: 'изменить или исключить участника',
  },
  controllers: {
    read: 'посмотреть контроллеры',
    activate: 'добавить контроллер',
    update: 'изменить контроллер',
    delete: 'удалить контроллер',
  },
  groups: {
    read: 'посмотреть группы',
    manage: 'изменить группы',
    attach: 'переместить контроллеры по группам',
  },
  telemetry: { read: 'посмотреть показания' },
  traffic: { manage: 'изменить лимит трафика' },
  diagnostics: { request: 'запросить диагностику' },
  agents: { update: 'обновить агент' },
  tunnels: { open: 'открыть туннель', forward: 'открыть любой порт', manage: 'закрыть чужой туннель' },
  audit: { read: 'посмотреть журнал событий' },
  enrolment_keys: { manage: 'управлять ключами регистрации' },
  alerts: { read: 'посмотреть оповещения', manage: 'изменить правила оповещений' },
  tokens: { manage: 'управлять токенами' },
  guests: { manage: 'управлять гостевыми ссылками' },
  webhooks: { manage: 'изменить вебхуки' },
} as const;

export const en = {
  organization: {
    read: 'see the organization',
    update: 'change the organization',
    delete: 'delete the organization',
  },
  grants: { manage: 'give or end access' },
  members: { read: 'see the members', invite: 'invite somebody', manage: 'change or remove a member' },
  controllers: {
    read: 'see the controllers',
    activate: 'add a controller',
    update: 'change a controller',
    delete: 'delete a controller',
  },
  groups: {
    read: 'see the groups',
    manage: 'change the groups',
    attach: 'move controllers between groups',
  },
  telemetry: { read: 'see the readings' },
  traffic: { manage: 'change a traffic budget' },
  diagnostics: { request: 'request diagnostics' },
  agents: { update: 'update agents' },
  tunnels: { open: 'open a tunnel', forward: 'reach any port', manage: 'end the tunnel of another' },
  audit: { read: 'see the audit log' },
  enrolment_keys: { manage: 'manage the enrolment keys' },
  alerts: { read: 'see the alerts', manage: 'change the alert rules' },
  tokens: { manage: 'manage tokens' },
  guests: { manage: 'manage guest links' },
  webhooks: { manage: 'change the webhooks' },
} as const;
