export const ru = {
  open: 'Этикетки…',
  rowsOnly: 'Этикетки печатаются для строк на странице: выберите их, а не все подходящие',
  title: 'Этикетки контроллеров',
  hint: 'Распечатайте и наклейте на контроллеры. Код открывает страницу контроллера тому, у кого есть к нему доступ.',
  print: 'Печать',
  code: 'Код страницы контроллера {{serialNumber}}',
} as const;

export const en = {
  open: 'Labels…',
  rowsOnly: 'Labels are printed for rows of the page: select those, and not all that match',
  title: 'Labels of controllers',
  hint: 'Print these and stick them on. The code opens the controller’s page for whoever has access to it.',
  print: 'Print',
  code: 'Code of the page of controller {{serialNumber}}',
} as const;
