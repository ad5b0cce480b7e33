export const ru = {
  title: 'Карта',
  label: 'Карта контроллеров',
  cluster_one:
    '{{formatted}} контроллер: {{online}} в сети, {{offline}} не в сети, {{never}} не подключались',
  cluster_few:
    '{{formatted}} контроллера: {{online}} в сети, {{offline}} не в сети, {{never}} не подключались',
  cluster_many:
    '{{formatted}} контроллеров: {{online}} в сети, {{offline}} не в сети, {{never}} не подключались',
  cluster_other:
    '{{formatted}} контроллера: {{online}} в сети, {{offline}} не в сети, {{never}} не подключались',
  thousands: '{{formatted}}к',
  controller: '{{serialNumber}}, {{status}}',
  showAll: 'Показать все',
  open: 'Открыть',
  close: 'Закрыть',
  samePlace: 'Рядом: {{formatted}}',
  more: 'И ещё {{formatted}}',
  onMap_one: '{{formatted}} на карте',
  onMap_few: '{{formatted}} на карте',
  onMap_many: '{{formatted}} на карте',
  onMap_other: '{{formatted}} на карте',
  withoutPlace: 'без координат: {{formatted}}',
  loadFailed: 'Не удалось загрузить контроллеры',
  loading: 'Загружаем контроллеры',
  nowhere: {
    title: 'На карте пока пусто',
    text: 'Ни у одного контроллера нет координат. Укажите их на странице контроллера, в разделе «Настройки»: точку можно поставить на карте.',
    filteredText: 'Ни у одного из подходящих контроллеров нет координат.',
  },
} as const;

export const en = {
  title: 'Map',
  label: 'Map of controllers',
  cluster_one: '{{formatted}} controller: {{online}} online, {{offline}} offline, {{never}} never seen',
  cluster_other: '{{formatted}} controllers: {{online}} online, {{offline}} offline, {{never}} never seen',
  thousands: '{{formatted}}k',
  controller: '{{serialNumber}}, {{status}}',
  showAll: 'Show all',
  open: 'Open',
  close: 'Close',
  samePlace: 'Close together: {{formatted}}',
  more: 'And {{formatted}} more',
  onMap_one: '{{formatted}} on the map',
  onMap_other: '{{formatted}} on the map',
  withoutPlace: '{{formatted}} without coordinates',
  loadFailed: 'Could not load the controllers',
  loading: 'Loading the controllers',
  nowhere: {
    title: 'Nothing on the map yet',
    text: 'No controller has coordinates. Set them on the page of a controller, under “Settings”: click on the map there, or type them.',
    filteredText: 'None of the controllers that match has coordinates.',
  },
} as const;
