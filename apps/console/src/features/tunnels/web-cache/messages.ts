export const ru = {
  title: 'Кэш веб-интерфейса',
  text: 'Сервер помнит части страниц контроллера, чтобы следующему человеку они не шли по его линии снова. Без вопроса отдаётся только то, что контроллер сам назвал общим, остальное — когда он подтвердит это тому, кто спрашивает.',
  loadFailed: 'Не удалось загрузить настройку кэша',
  enabled: 'Помнить части страниц',
  enabledHint: 'Если выключить, всё запомненное забудется сразу.',
  unavailable: 'На этом сервере кэш выключен для всех контроллеров.',
  saved: 'Сэкономлено на линии: {{bytes}}',
  savedNone: 'Пока ничего не сэкономлено.',
  turnedOn: 'Кэш включён',
  turnedOff: 'Кэш выключен, запомненное забыто',
} as const;

export const en = {
  title: 'Web interface cache',
  text: 'The server keeps parts of the controller’s pages, so that they do not cross its line again for the next person. Only what the controller itself calls public is given without asking, anything else once the controller has confirmed it to whoever asks.',
  loadFailed: 'Could not load the setting of the cache',
  enabled: 'Keep parts of pages',
  enabledHint: 'Turned off, all that is kept is forgotten at once.',
  unavailable: 'On this server the cache is off for all controllers.',
  saved: 'Saved on the line: {{bytes}}',
  savedNone: 'Nothing saved so far.',
  turnedOn: 'Cache turned on',
  turnedOff: 'Cache turned off, what was kept is forgotten',
} as const;
