/** Texts of the pages on which a sign-in by an identity provider begins and ends, and of the account’s own list of them. */
export const ru = {
  organization: {
    title: 'Вход в организацию',
    titleOf: 'Вход в организацию «{{organization}}»',
    replaced: 'Сейчас вы вошли как {{email}}. Этот вход сменится новым.',
    text: 'Имя и пароль спросит {{name}}: пароль сюда не попадёт.',
    byPassword: 'Войти с паролем',
  },
  closed: {
    title: 'Нужен вход через провайдера',
    text: 'Эта организация пускает только тех, кто вошёл через её провайдера. Ваш нынешний вход сменится.',
    none: 'Эта организация пускает только тех, кто вошёл через её провайдера, но он не настроен. Сообщите её владельцу.',
  },
  failed: 'Войти не получилось',
  link: {
    title: 'Подключите {{name}} к учётной записи {{brand}}',
    text: 'Один раз войдите в учётную запись {{brand}}. Дальше хватит входа через {{name}}.',
    submit: 'Подключить',
  },
  code: {
    account: 'вашей учётной записи',
  },
  identities: {
    title: 'Вход через провайдеров',
    text: 'Через них вы входите без пароля этой учётной записи.',
    installation: 'Весь сервер',
    organization: 'Только {{name}}',
    linked: 'Подключён {{time}}',
    checked: 'Проверен {{time}}',
    delete: 'Отключить',
    deleteOne: 'Отключить вход: {{name}}',
    deleteTitle: 'Отключить вход через провайдера?',
    deleteText:
      'Сеансы, открытые через {{issuer}}, завершатся, а права, которые давали группы провайдера, снимутся. Чтобы подключить его снова, понадобится пароль.',
    deleted: 'Вход через провайдера отключён',
  },
  signedInto: {
    title: 'Вход только в организацию',
    text: 'Вы вошли через провайдера организации «{{name}}», и этот вход действует только в ней.',
    textUnnamed: 'Вы вошли через провайдера организации, и этот вход действует только в ней.',
    hint: 'Пароль, второй фактор, ключи и токены учётной записи доступны после входа с паролем.',
    logOut: 'Выйти и войти с паролем',
  },
} as const;

export const en = {
  organization: {
    title: 'Sign in to the organization',
    titleOf: 'Sign in to {{organization}}',
    replaced: 'You are logged in as {{email}}. The new sign-in takes the place of that login.',
    text: '{{name}} asks who you are: your password does not come here.',
    byPassword: 'Log in by password instead',
  },
  closed: {
    title: 'A sign-in by the provider is required',
    text: 'This organization lets in only who has signed in by its provider. That takes the place of your present login.',
    none: 'This organization lets in only who has signed in by its provider, but it has none. Tell its owner.',
  },
  failed: 'The sign-in did not work',
  link: {
    title: 'Connect {{name}} to your {{brand}} account',
    text: 'Log in once with your {{brand}} account. From then on {{name}} is enough.',
    submit: 'Connect',
  },
  code: {
    account: 'Your account',
  },
  identities: {
    title: 'Sign-in by providers',
    text: 'By these you sign in without the password of this account.',
    installation: 'The whole server',
    organization: '{{name}} alone',
    linked: 'Connected {{time}}',
    checked: 'Checked {{time}}',
    delete: 'Disconnect',
    deleteOne: 'Disconnect the sign-in: {{name}}',
    deleteTitle: 'Disconnect the provider?',
    deleteText:
      'Sessions that {{issuer}} has opened end, and so do the rights that its groups gave. Connecting it again takes your password.',
    deleted: 'Provider disconnected',
  },
  signedInto: {
    title: 'Signed in to one organization',
    text: 'You signed in by the provider of {{name}}, and this sign-in is good for that organization alone.',
    textUnnamed:
      'You signed in by an organization’s provider, and this sign-in is good for that organization alone.',
    hint: 'The account’s password, second factor, keys and tokens are there after a login by password.',
    logOut: 'Log out, then log in by password',
  },
} as const;
