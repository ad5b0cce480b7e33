import type { ControllerStatus, MapFeature } from '@pult/contract';
import { expect, test } from 'vitest';
import { bundledZoomMax, zoomMax } from '../../shared/map/camera.ts';
import { pixelsAcross, project } from '../../shared/map/mercator.ts';
import { clusterMarkers, isOnePlace, type MarkerCluster, sizeOf, worstStatus } from './marker-cluster.ts';

function controller(
  serialNumber: string,
  latitude: number,
  longitude: number,
  status: ControllerStatus = 'online',
): MapFeature {
  return {
    type: 'controller',
    serialNumber,
    latitude,
    longitude,
    status,
    description: '',
    organization: { id: 'o' },
  };
}

const cluster = (changes: Partial<MarkerCluster>): MarkerCluster => ({
  type: 'cluster',
  latitude: 0,
  longitude: 0,
  count: 2,
  countOnline: 2,
  countOffline: 0,
  countNever: 0,
  bounds: [0, 0, 0, 0],
  ...changes,
});

test('controllers that stand close are one cluster with the counts of all, and come apart closer in', () => {
  const fleet = [
    controller('A1', 55.75, 37.61),
    controller('A2', 55.76, 37.62, 'offline'),
    controller('A3', 55.7, 37.5, 'never'),
    controller('B1', 59.93, 30.31),
  ];
  const far = clusterMarkers(fleet, 4);
  expect(far).toHaveLength(2);
  expect(far.find(({ type }) => type === 'cluster')).toMatchObject({
    count: 3,
    countOnline: 1,
    countOffline: 1,
    countNever: 1,
    bounds: [37.5, 55.7, 37.62, 55.76],
  });
  expect(far).toContainEqual(fleet[3]);
  expect(clusterMarkers(fleet, 15)).toHaveLength(4);
});

test('no two markers cover each other, nobody is lost, and the order of the answer does not matter', () => {
  const fleet = Array.from({ length: 1000 }, (_, index) =>
    controller(`S${index}`, 45 + ((index * 37) % 200) / 10, 30 + ((index * 53) % 700) / 10),
  );
  for (const zoom of [0, 2, 3.7, 6, 10]) {
    const markers = clusterMarkers(fleet, zoom);
    expect(markers.reduce((sum, marker) => sum + sizeOf(marker), 0)).toBe(1000);
    const size = pixelsAcross(Math.floor(zoom));
    const points = markers.map(project);
    const distances = points.flatMap((one, index) =>
      points.slice(index + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y) * size),
    );
    expect(distances.filter((distance) => distance < 59.99)).toEqual([]);
    expect(clusterMarkers([...fleet].reverse(), zoom)).toEqual(markers);
  }
});

test("the server's clusters are joined with their neighbours too", () => {
  const [marker] = clusterMarkers(
    [
      cluster({ count: 30, countOnline: 30, bounds: [0, 0, 1, 1] }),
      cluster({
        latitude: 0.5,
        longitude: 1.2,
        count: 10,
        countOnline: 0,
        countOffline: 10,
        bounds: [1.1, 0, 2, 1],
      }),
    ],
    2,
  );
  expect(marker).toMatchObject({ count: 40, countOnline: 30, countOffline: 10, bounds: [0, 0, 2, 1] });
  expect(marker?.longitude).toBeCloseTo(0.3);
});

test('only those whom no zoom of the map takes apart are listed instead of zoomed into', () => {
  const isOneAt = (zoomMax: number, east: number) =>
    isOnePlace(cluster({ bounds: [37.6, 55.7, east, 55.7] }), zoomMax);
  expect(isOneAt(zoomMax, 37.6)).toBe(true);
  expect(isOneAt(zoomMax, 37.60001)).toBe(true);
  expect(isOneAt(zoomMax, 37.61)).toBe(false);
  expect(isOneAt(bundledZoomMax, 37.61)).toBe(true);
  expect(isOneAt(bundledZoomMax, 38.1)).toBe(false);
});

test('one controller that is offline makes the whole cluster offline', () => {
  expect(worstStatus(cluster({ countOnline: 99 }))).toBe('online');
  expect(worstStatus(cluster({ countOnline: 99, countNever: 1 }))).toBe('never');
  expect(worstStatus(cluster({ countOnline: 98, countNever: 1, countOffline: 1 }))).toBe('offline');
});
