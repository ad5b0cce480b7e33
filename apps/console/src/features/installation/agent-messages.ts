/** Of the card with the agents. */
export const ru = {
  title: 'Агенты',
  version: 'Раздаётся версия',
  none: 'нет',
  all: 'Контроллеров с агентом',
  older: 'Из них со старой версией',
  updates: 'Обновления',
  automatic: 'сами, волнами',
  byHand: 'вручную',
  wave: 'Волна: доля агентов',
  begun: 'Начато',
  underWay: 'Идёт',
  stopped: 'Остановлены {{time}}',
  reason: {
    returned: 'Один из агентов не вышел на связь с этой версией, на нём снова работает прежняя.',
    silent: 'Один из контроллеров не вернулся на связь после обновления.',
  },
  detail: 'Агент сообщает: {{detail}}',
  resume: 'Продолжить обновления',
};

export const en: typeof ru = {
  title: 'Agents',
  version: 'Version handed out',
  none: 'none',
  all: 'Controllers with an agent',
  older: 'With an older version',
  updates: 'Updates',
  automatic: 'by themselves, in waves',
  byHand: 'by hand',
  wave: 'Wave: share of the agents',
  begun: 'Begun',
  underWay: 'Under way',
  stopped: 'Stopped {{time}}',
  reason: {
    returned: 'An agent did not connect with this version and runs the one before it again.',
    silent: 'A controller did not come back after its update.',
  },
  detail: 'The agent says: {{detail}}',
  resume: 'Go on with updates',
};
