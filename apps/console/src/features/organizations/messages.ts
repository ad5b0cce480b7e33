export const ru = {
  title: 'Организации',
  create: 'Создать организацию',
  name: 'Название',
  nameHint: 'Например, компания или объект. Контроллеры и участники есть у каждой организации свои.',
  nameRequired: 'Введите название',
  submit: 'Создать',
  created: 'Организация создана',
  empty: 'Пока нет организаций',
  emptyHint:
    'Организация объединяет контроллеры и людей, которые ими управляют. Создайте свою или попросите администратора пригласить вас.',
  yourRole: 'Ваша роль: {{role}}',
  controllers_one: '{{formatted}} контроллер',
  controllers_few: '{{formatted}} контроллера',
  controllers_many: '{{formatted}} контроллеров',
  controllers_other: '{{formatted}} контроллера',
  noControllers: 'Нет контроллеров',
  online: 'В сети: {{formatted}}',
  overview: {
    total: 'Контроллеры',
    online: 'В сети',
    offline: 'Не в сети',
    openList: 'Открыть список',
    fleet: 'Парк контроллеров',
    empty: 'В этой организации пока нет контроллеров',
    emptyHint:
      'Установите агент на устройство и добавьте контроллер по токену активации, который агент покажет.',
    add: 'Добавить контроллер',
  },
} as const;

export const en = {
  title: 'Organizations',
  create: 'Create organization',
  name: 'Name',
  nameHint: 'A company or a site, for example. Each organization has its own controllers and members.',
  nameRequired: 'Enter a name',
  submit: 'Create',
  created: 'Organization created',
  empty: 'No organizations yet',
  emptyHint:
    'An organization brings together controllers and the people who manage them. Create your own, or ask an administrator to invite you.',
  yourRole: 'Your role: {{role}}',
  controllers_one: '{{formatted}} controller',
  controllers_other: '{{formatted}} controllers',
  noControllers: 'No controllers',
  online: '{{formatted}} online',
  overview: {
    total: 'Controllers',
    online: 'Online',
    offline: 'Offline',
    openList: 'Open the list',
    fleet: 'Fleet',
    empty: 'This organization has no controllers yet',
    emptyHint:
      'Install the agent on a device and add the controller by the activation token that the agent shows.',
    add: 'Add controller',
  },
} as const;
