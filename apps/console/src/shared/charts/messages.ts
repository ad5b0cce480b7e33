export const ru = {
  range: 'Период',
  ranges: { '1h': '1 ч', '6h': '6 ч', '24h': '24 ч', '7d': '7 дн.', '30d': '30 дн.' },
  refresh: 'Обновление',
  refreshes: { off: 'Не обновлять', '1m': 'Раз в минуту', '5m': 'Раз в 5 минут' },
  refreshNow: 'Обновить сейчас',
  last: 'последнее',
  extremes: 'мин. {{lowest}} · макс. {{highest}}',
  summary: 'последнее значение {{last}}, минимум {{lowest}}, максимум {{highest}}',
  savePicture: 'Сохранить график «{{title}}» как PNG',
  saveFailed: 'Не удалось сохранить картинку',
  drawFailed: 'Не удалось загрузить график',
  refreshFailed: 'Не удалось обновить: {{reason}}',
};

export const en = {
  range: 'Range',
  ranges: { '1h': '1 h', '6h': '6 h', '24h': '24 h', '7d': '7 d', '30d': '30 d' },
  refresh: 'Refresh',
  refreshes: { off: 'Off', '1m': 'Every minute', '5m': 'Every 5 minutes' },
  refreshNow: 'Refresh now',
  last: 'last',
  extremes: 'min {{lowest}} · max {{highest}}',
  summary: 'last value {{last}}, minimum {{lowest}}, maximum {{highest}}',
  savePicture: 'Save the chart “{{title}}” as PNG',
  saveFailed: 'Could not save the picture',
  drawFailed: 'Could not load the chart',
  refreshFailed: 'Could not refresh: {{reason}}',
};
