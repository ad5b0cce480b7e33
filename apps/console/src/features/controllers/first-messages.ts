/** Of a controller that has never connected. */
export const ru = {
  title: 'Первое подключение',
  text: 'Контроллер добавлен, но ещё ни разу не подключался. Страница сама откроет доступ, когда он выйдет на связь.',
  check: {
    agent: 'Узнайте на устройстве, что мешает агенту подключиться:',
    'wiren-board': 'Посмотрите на контроллере, что мешает агенту Wiren Board подключиться:',
    ssh: 'Посмотрите на устройстве, что мешает клиенту SSH подключиться:',
  },
  install:
    'Если агента там уже нет, установите его. С новым ключом устройство покажет новую ссылку активации:',
  ways: 'Все способы подключения',
} as const;

export const en = {
  title: 'First connection',
  text: 'The controller was added but has never connected. This page gives access as soon as it does.',
  check: {
    agent: 'Find out on the device what keeps the agent from connecting:',
    'wiren-board': 'See on the controller what keeps the agent of Wiren Board from connecting:',
    ssh: 'See on the device what keeps the SSH client from connecting:',
  },
  install:
    'If the agent is gone from the device, install it. With a new key the device shows a new activation link:',
  ways: 'All ways to connect a device',
} as const;
