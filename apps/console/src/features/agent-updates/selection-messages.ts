/** Of the list of controllers, which is loaded without the others. */
export const ru = {
  selected: 'Обновить агенты',
  requested_one: 'Обновляется {{formatted}} агент',
  requested_few: 'Обновляются {{formatted}} агента',
  requested_many: 'Обновляются {{formatted}} агентов',
  requested_other: 'Обновляются {{formatted}} агента',
  nothing: 'Обновлять нечего: агенты новые, уже обновляются, или их нет',
  skipped: 'Остальные не старше версии сервера, уже обновляются или без агента: {{formatted}}',
};

export const en: typeof ru = {
  selected: 'Update agents',
  requested_one: '{{formatted}} agent is being updated',
  requested_few: '{{formatted}} agents are being updated',
  requested_many: '{{formatted}} agents are being updated',
  requested_other: '{{formatted}} agents are being updated',
  nothing: 'Nothing to update: the agents are new enough, being updated already, or there are none',
  skipped:
    'The others are not older than the server’s, being updated already, or without an agent: {{formatted}}',
};
