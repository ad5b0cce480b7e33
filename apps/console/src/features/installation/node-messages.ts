/** Of the nodes of an installation that has several. */
export const ru = {
  title: 'Узлы',
  failed: 'Не удалось узнать, какие узлы есть',
  address: 'Адрес',
  this: '{{address}} (этот)',
  state: 'Статус',
  states: { active: 'Работает', leaving: 'Завершается', left: 'Завершил работу', lost: 'Пропал' },
  links: 'Контроллеров на связи',
  version: 'Версия',
  started: 'Запущен',
};

export const en: typeof ru = {
  title: 'Nodes',
  failed: 'The nodes could not be loaded',
  address: 'Address',
  this: '{{address}} (this one)',
  state: 'State',
  states: { active: 'Running', leaving: 'Leaving', left: 'Has left', lost: 'Lost' },
  links: 'Linked controllers',
  version: 'Version',
  started: 'Started',
};
