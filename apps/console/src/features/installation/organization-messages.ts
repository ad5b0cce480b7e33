/** Of all organizations, for administrators of the installation. */
export const ru = {
  title: 'Организации',
  name: 'Название',
  created: 'Создана',
  controllers: 'Контроллеры',
  members: 'Участники',
  withoutTotp: 'Без второго фактора',
  archives: 'Архивы диагностики',
  measurements: 'Измерения',
  unmeasured: 'неизвестно',
  failed: 'Не удалось загрузить организации',
  empty: 'Организаций ещё нет',
};

export const en: typeof ru = {
  title: 'Organizations',
  name: 'Name',
  created: 'Created',
  controllers: 'Controllers',
  members: 'Members',
  withoutTotp: 'Without a second factor',
  archives: 'Diagnostics archives',
  measurements: 'Measurements',
  unmeasured: 'unknown',
  failed: 'The organizations could not be loaded',
  empty: 'There are no organizations yet',
};
