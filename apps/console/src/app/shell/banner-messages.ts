/** Of banners that only those see who have logged in. */
export const ru = {
  certificateEnds: {
    server:
      'Сертификат сервера действует до {{date}}: потом консоль не откроется, а контроллеры не подключатся.',
    tunnels: 'Сертификат веб-интерфейсов контроллеров действует до {{date}}.',
    'wiren-board': 'Сертификат для контроллеров Wiren Board действует до {{date}}: потом они не подключатся.',
    more: 'Статус сервера',
    tell: 'Сообщите администратору сервера.',
  },
  licenseNear: 'Лицензия почти исчерпана: активировано контроллеров {{used}} из {{limit}}',
};

export const en: typeof ru = {
  certificateEnds: {
    server:
      'The certificate of the server is valid until {{date}}: after that neither the console nor controllers connect.',
    tunnels: 'The certificate of the controllers’ web interfaces is valid until {{date}}.',
    'wiren-board':
      'The certificate for Wiren Board controllers is valid until {{date}}: after that they do not connect.',
    more: 'See the installation',
    tell: 'Tell the administrator of the server.',
  },
  licenseNear: 'The license is nearly used up: {{used}} of {{limit}} controllers are activated',
};
