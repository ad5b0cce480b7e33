export const ru = {
  map: 'Карта',
  zoomIn: 'Приблизить',
  zoomOut: 'Отдалить',
  attribution: 'Источники карты',
  scrollWithCtrl: 'Чтобы менять масштаб, крутите колесо с клавишей Ctrl',
  scrollWithCommand: 'Чтобы менять масштаб, крутите колесо с клавишей ⌘',
  twoFingers: 'Карту двигают двумя пальцами',
  fallback: 'Не удалось загрузить карту, которую задал администратор сервера. Показана встроенная карта.',
  streets:
    'На встроенной карте улиц нет. Чтобы они появились, администратор сервера кладёт map.pmtiles в папку данных или задаёт MAP_STYLE_URL.',
  metres: 'м',
  kilometres: 'км',
  dismiss: 'Скрыть',
  pin: 'Место контроллера',
  movePin: 'Место контроллера: перетащите или двигайте стрелками',
  loadFailed: 'Не удалось загрузить карту',
  noWebGl: 'Карта не открылась: браузеру нужен WebGL 2',
  noWebGlText: 'Обновите браузер или включите в его настройках аппаратное ускорение.',
} as const;

export const en = {
  map: 'Map',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  attribution: 'Map sources',
  scrollWithCtrl: 'Use Ctrl and the wheel to zoom',
  scrollWithCommand: 'Use ⌘ and the wheel to zoom',
  twoFingers: 'Use two fingers to move the map',
  fallback:
    'The map set by the administrator of the server could not be loaded. The built-in map is shown instead.',
  streets:
    'The built-in map has no streets. To show them, the administrator of the server puts map.pmtiles into the data folder or sets MAP_STYLE_URL.',
  metres: 'm',
  kilometres: 'km',
  dismiss: 'Dismiss',
  pin: 'The place of the controller',
  movePin: 'The place of the controller: drag it, or use the arrow keys',
  loadFailed: 'Could not load the map',
  noWebGl: 'The map cannot be shown: the browser needs WebGL 2',
  noWebGlText: 'Update the browser, or turn hardware acceleration on in its settings.',
} as const;
