type Position = readonly number[];

/**
 * A ring without the jump from 180° to -180°, which would be drawn as a line around the world: it goes on beyond 180°
 * instead. One that goes once around a pole, as Antarctica does, is closed there.
 */
export function unwrapRing(ring: readonly Position[]): number[][] {
  let turns = 0;
  let before: number | undefined;
  const unwrapped = ring.map(([longitude = 0, latitude = 0]) => {
    if (before !== undefined && Math.abs(longitude - before) > 180) turns += longitude < before ? 1 : -1;
    before = longitude;
    return [longitude + turns * 360, latitude];
  });
  const [first, last] = [unwrapped[0], unwrapped.at(-1)];
  if (turns === 0 || !first || !last) return unwrapped;
  const pole = (first[1] ?? 0) < 0 ? -90 : 90;
  return [...unwrapped, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}

export function unwrapArea(area: GeoJSON.Polygon | GeoJSON.MultiPolygon): GeoJSON.MultiPolygon {
  const polygons = area.type === 'Polygon' ? [area.coordinates] : area.coordinates;
  return { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(unwrapRing)) };
}
