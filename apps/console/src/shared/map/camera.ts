/** Degrees. */
export interface Place {
  latitude: number;
  longitude: number;
}

export interface Camera extends Place {
  /** Of web maps: at 0 the world is one tile of 512 pixels. */
  zoom: number;
}

export const zoomMax = 19;
/** Of the bundled map: closer than this, a window shows one colour and at best the name of one city. */
export const bundledZoomMax = 8;

const pair = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/;

/** `center=55.75,37.62&zoom=9.5` of an address. Undefined for anything else: then the map shows what it has. */
export function readCamera(raw: Readonly<Record<string, unknown>>): Camera | undefined {
  const [, latitude, longitude] = pair.exec(String(raw.center ?? '')) ?? [];
  const zoom = Number(raw.zoom ?? Number.NaN);
  const camera = { latitude: Number(latitude), longitude: Number(longitude), zoom };
  const isOnMap =
    Math.abs(camera.latitude) <= 90 && Math.abs(camera.longitude) <= 180 && zoom >= 0 && zoom <= zoomMax;
  return isOnMap ? camera : undefined;
}

/** Of as many digits as the zoom can show. */
export function writeCamera({ latitude, longitude, zoom }: Camera): { center: string; zoom: string } {
  const digits = Math.max(2, Math.ceil(zoom / 3) + 1);
  const wrapped = wrapLongitude(longitude);
  return { center: `${latitude.toFixed(digits)},${wrapped.toFixed(digits)}`, zoom: zoom.toFixed(2) };
}

/** Into -180..180. */
export function wrapLongitude(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}
