/** A real place of the demo's fleet. `share` is how much of the fleet stands there, against the others. */
export interface Place {
  name: string;
  /** The groups above its own, from the root. */
  path: readonly string[];
  language: 'ru' | 'en';
  latitude: number;
  longitude: number;
  share: number;
}

type Row = readonly [name: string, latitude: number, longitude: number, share: number];

const regions: readonly { path: readonly string[]; language: 'ru' | 'en'; places: readonly Row[] }[] = [
  {
    path: ['Россия', 'Центр'],
    language: 'ru',
    places: [
      ['Москва', 55.756, 37.617, 12],
      ['Тула', 54.193, 37.617, 2],
      ['Воронеж', 51.661, 39.2, 3],
      ['Ярославль', 57.626, 39.894, 2],
    ],
  },
  {
    path: ['Россия', 'Северо-Запад'],
    language: 'ru',
    places: [
      ['Санкт-Петербург', 59.939, 30.316, 8],
      ['Калининград', 54.71, 20.51, 2],
      ['Мурманск', 68.97, 33.075, 1],
      ['Архангельск', 64.54, 40.515, 1],
    ],
  },
  {
    path: ['Россия', 'Юг'],
    language: 'ru',
    places: [
      ['Ростов-на-Дону', 47.222, 39.72, 3],
      ['Краснодар', 45.035, 38.975, 3],
      ['Сочи', 43.585, 39.723, 2],
    ],
  },
  {
    path: ['Россия', 'Поволжье'],
    language: 'ru',
    places: [
      ['Нижний Новгород', 56.327, 44.006, 3],
      ['Казань', 55.796, 49.106, 4],
      ['Самара', 53.196, 50.1, 3],
      ['Уфа', 54.735, 55.958, 2],
      ['Пермь', 58.01, 56.25, 2],
    ],
  },
  {
    path: ['Россия', 'Урал'],
    language: 'ru',
    places: [
      ['Екатеринбург', 56.838, 60.605, 4],
      ['Челябинск', 55.16, 61.403, 3],
      ['Тюмень', 57.153, 65.534, 2],
    ],
  },
  {
    path: ['Россия', 'Сибирь'],
    language: 'ru',
    places: [
      ['Новосибирск', 55.03, 82.92, 4],
      ['Омск', 54.989, 73.369, 2],
      ['Томск', 56.488, 84.952, 1],
      ['Красноярск', 56.01, 92.852, 2],
      ['Иркутск', 52.287, 104.281, 2],
    ],
  },
  {
    path: ['Россия', 'Дальний Восток'],
    language: 'ru',
    places: [
      ['Якутск', 62.028, 129.732, 1],
      ['Хабаровск', 48.48, 135.072, 2],
      ['Владивосток', 43.116, 131.882, 2],
      ['Петропавловск-Камчатский', 53.024, 158.643, 1],
    ],
  },
  {
    path: ['Казахстан'],
    language: 'ru',
    places: [
      ['Астана', 51.169, 71.449, 2],
      ['Алматы', 43.238, 76.889, 3],
    ],
  },
  {
    path: ['Europe', 'United Kingdom'],
    language: 'en',
    places: [
      ['London', 51.507, -0.128, 5],
      ['Manchester', 53.481, -2.242, 2],
      ['Edinburgh', 55.953, -3.188, 1],
    ],
  },
  {
    path: ['Europe', 'Germany'],
    language: 'en',
    places: [
      ['Berlin', 52.52, 13.405, 3],
      ['Hamburg', 53.551, 9.994, 2],
      ['Munich', 48.137, 11.575, 2],
    ],
  },
  {
    path: ['Europe'],
    language: 'en',
    places: [
      ['Amsterdam', 52.368, 4.904, 2],
      ['Helsinki', 60.17, 24.938, 2],
      ['Lisbon', 38.722, -9.139, 1],
      ['Madrid', 40.417, -3.704, 2],
      ['Paris', 48.857, 2.352, 3],
      ['Prague', 50.075, 14.438, 2],
      ['Stockholm', 59.329, 18.069, 2],
      ['Warsaw', 52.23, 21.012, 2],
    ],
  },
  {
    path: ['North America'],
    language: 'en',
    places: [
      ['Chicago', 41.878, -87.63, 2],
      ['New York', 40.713, -74.006, 3],
      ['Toronto', 43.653, -79.383, 2],
    ],
  },
  {
    path: ['Asia and Pacific'],
    language: 'en',
    places: [
      ['Dubai', 25.205, 55.271, 2],
      ['Seoul', 37.567, 126.978, 2],
      ['Singapore', 1.352, 103.82, 2],
      ['Sydney', -33.869, 151.209, 1],
      ['Tokyo', 35.677, 139.65, 2],
    ],
  },
];

export const places: readonly Place[] = regions.flatMap(({ path, language, places: rows }) =>
  rows.map(([name, latitude, longitude, share]) => ({ name, path, language, latitude, longitude, share })),
);

/** What stands there, and in which street. */
export const words = {
  ru: {
    sites: [
      'Котельная',
      'Насосная станция',
      'Школа',
      'Теплица',
      'Склад',
      'Жилой дом',
      'Тепловой пункт',
      'Серверная',
    ],
    streets: [
      'Ленина',
      'Мира',
      'Гагарина',
      'Садовая',
      'Заводская',
      'Лесная',
      'Набережная',
      'Победы',
      'Пушкина',
    ],
    describe: (site: string, street: string, house: number) => `${site}, ул. ${street}, ${house}`,
  },
  en: {
    sites: [
      'Boiler room',
      'Pump station',
      'School',
      'Greenhouse',
      'Warehouse',
      'Apartments',
      'Heat point',
      'Server room',
    ],
    streets: [
      'Station Road',
      'Park Lane',
      'Mill Street',
      'Church Street',
      'Harbour Way',
      'Green Lane',
      'King Street',
    ],
    describe: (site: string, street: string, house: number) => `${site}, ${house} ${street}`,
  },
} as const;
