export const ru = {
  retry: 'Повторить',
  cancel: 'Отмена',
  copy: 'Скопировать',
  copied: 'Скопировано',
  copyByHand: 'Выделено, нажмите Ctrl+C',
  loadFailed: 'Не удалось загрузить',
  unreachable: 'Сервер не отвечает. Проверьте соединение с сетью.',
  typeToConfirm: 'Чтобы подтвердить, введите «{{name}}»',
  loading: 'Загрузка',
  roleTooWeak: 'Для этого нужна роль «{{role}}» или выше',
  role: { viewer: 'наблюдатель', member: 'участник', admin: 'администратор', owner: 'владелец' },
  serverError: {
    title: 'Ошибка сервера',
    description: 'Вы можете проверить статус',
    link: 'здесь',
  },
} as const;

export const en = {
  retry: 'Try again',
  cancel: 'Cancel',
  copy: 'Copy',
  copied: 'Copied',
  copyByHand: 'Selected, press Ctrl+C',
  loadFailed: 'Could not load this',
  unreachable: 'The server does not answer. Check the network connection.',
  typeToConfirm: 'To confirm, type “{{name}}”',
  loading: 'Loading',
  roleTooWeak: 'This needs the role “{{role}}” or above',
  role: { viewer: 'viewer', member: 'member', admin: 'admin', owner: 'owner' },
  serverError: {
    title: 'Server Error',
    description: 'You can check service status',
    link: 'here',
  },
} as const;
