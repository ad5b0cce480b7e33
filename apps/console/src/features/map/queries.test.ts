import { expect, test } from 'vitest';
import { makeController } from '../testing/fake-api.ts';
import { toFeatures } from './queries.ts';

test.each([
  [55.75, 37.61, 1],
  [0, 0, 1],
  [55.75, null, 0],
  [null, 37.61, 0],
  [null, null, 0],
])(
  'a controller at latitude %j and longitude %j is so many features of the map: %i',
  (latitude, longitude, count) => {
    const features = toFeatures([makeController({ latitude, longitude })]);
    expect(features.map((feature) => [feature.latitude, feature.longitude])).toEqual(
      count === 1 ? [[latitude, longitude]] : [],
    );
  },
);
