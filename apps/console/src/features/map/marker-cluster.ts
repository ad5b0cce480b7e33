import type { ControllerStatus, MapFeature } from '@pult/contract';
import { statusCountOf } from '@pult/contract/values';
import { boundsOf, joinBounds } from '../../shared/map/bounds.ts';
import { type Point, pixelsAcross, project } from '../../shared/map/mercator.ts';

export type MarkerCluster = Extract<MapFeature, { type: 'cluster' }>;

/** Pixels between the middles of two markers; closer ones would cover each other. */
const distance = 60;

/**
 * Joins what stands too close to be told apart at a zoom: controllers, and the server's clusters, whose cells know
 * nothing of their neighbours. Of a step between two zooms only the lower counts, so that markers stay as they are
 * while the map grows.
 */
export function clusterMarkers(features: readonly MapFeature[], zoom: number): MapFeature[] {
  let merged = mergeOnce(features, zoom);
  // What is joined stands elsewhere than its parts did, and so perhaps too close to the next.
  for (let before = features.length; merged.length < before; ) {
    before = merged.length;
    merged = mergeOnce(merged, zoom);
  }
  return merged;
}

function mergeOnce(features: readonly MapFeature[], zoom: number): MapFeature[] {
  const size = pixelsAcross(Math.floor(zoom)) / distance;
  // Large ones first: what is small joins them. Then by name, so that the next answer is merged alike.
  const points = features
    .map((feature) => ({ feature, at: scale(project(feature), size), isTaken: false }))
    .sort((one, other) => sizeOf(other.feature) - sizeOf(one.feature) || compare(one.feature, other.feature));
  const cells = new Map<string, typeof points>();
  for (const point of points) {
    const key = cellOf(point.at);
    const cell = cells.get(key);
    if (cell) cell.push(point);
    else cells.set(key, [point]);
  }

  const merged: MapFeature[] = [];
  for (const point of points) {
    if (point.isTaken) continue;
    point.isTaken = true;
    const near = neighbours(point.at).flatMap((key) =>
      (cells.get(key) ?? []).filter(
        (other) => !other.isTaken && Math.hypot(other.at.x - point.at.x, other.at.y - point.at.y) < 1,
      ),
    );
    for (const other of near) other.isTaken = true;
    merged.push(near.length === 0 ? point.feature : join([point, ...near].map(({ feature }) => feature)));
  }
  return merged;
}

function scale({ x, y }: Point, size: number): Point {
  return { x: x * size, y: y * size };
}

function cellOf({ x, y }: Point): string {
  return `${Math.floor(x)} ${Math.floor(y)}`;
}

function neighbours({ x, y }: Point): string[] {
  const steps = [-1, 0, 1];
  return steps.flatMap((right) => steps.map((down) => cellOf({ x: x + right, y: y + down })));
}

export function sizeOf(feature: MapFeature): number {
  return feature.type === 'cluster' ? feature.count : 1;
}

/** The same for the same feature of two answers. */
export function keyOf(feature: MapFeature): string {
  return feature.type === 'controller' ? feature.serialNumber : feature.bounds.join(' ');
}

function compare(one: MapFeature, other: MapFeature): number {
  return keyOf(one) < keyOf(other) ? -1 : 1;
}

function countOf(feature: MapFeature, status: ControllerStatus): number {
  if (feature.type === 'controller') return feature.status === status ? 1 : 0;
  return feature[statusCountOf[status]];
}

function join(features: readonly MapFeature[]): MarkerCluster {
  const total = (count: (feature: MapFeature) => number) =>
    features.reduce((sum, feature) => sum + count(feature), 0);
  const count = total(sizeOf);
  const [west, south, east, north] = joinBounds(features.map(boundsOf)) ?? [0, 0, 0, 0];
  return {
    type: 'cluster',
    latitude: total((feature) => feature.latitude * sizeOf(feature)) / count,
    longitude: total((feature) => feature.longitude * sizeOf(feature)) / count,
    count,
    countOnline: total((feature) => countOf(feature, 'online')),
    countOffline: total((feature) => countOf(feature, 'offline')),
    countNever: total((feature) => countOf(feature, 'never')),
    bounds: [west, south, east, north],
  };
}

/** No zoom of the map takes it apart: its controllers stand in one place, or close together. */
export function isOnePlace(
  { bounds: [west, south, east, north] }: Pick<MarkerCluster, 'bounds'>,
  zoomMax: number,
): boolean {
  const size = pixelsAcross(zoomMax) / distance;
  const [one, other] = [
    scale(project({ latitude: south, longitude: west }), size),
    scale(project({ latitude: north, longitude: east }), size),
  ];
  return Math.hypot(one.x - other.x, one.y - other.y) < 1;
}

/** What needs attention most: one controller offline marks the whole cluster. */
export function worstStatus({ countOffline, countNever }: MarkerCluster): ControllerStatus {
  if (countOffline > 0) return 'offline';
  return countNever > 0 ? 'never' : 'online';
}
