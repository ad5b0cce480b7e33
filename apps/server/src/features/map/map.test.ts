import { type ControllersMap, limits, type MapFeature } from '@pult/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addController, createFleet, type Fleet } from '../controllers/fleet.fixture.ts';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet();
});
afterAll(() => fleet.server.close());

async function getMap(query: Record<string, string>, as = fleet.user): Promise<ControllersMap> {
  const { status, body } = await fleet.server.call('mapControllers', { as, query });
  expect(status).toBe(200);
  return body as ControllersMap;
}
const countOf = (feature: MapFeature) => (feature.type === 'cluster' ? feature.count : 1);

describe('the map', () => {
  it('shows every controller by itself while they are no more than 1,000', async () => {
    const map = await getMap({
      organization_id: fleet.organization,
      latitude_min: '0',
      latitude_max: '20',
      zoom: '3',
    });
    expect(map.count).toBeGreaterThan(100);
    expect(map.features).toHaveLength(map.count);
    for (const feature of map.features) {
      expect(feature).toMatchObject({ type: 'controller', organization: { id: fleet.organization } });
      expect(feature.latitude).toBeGreaterThanOrEqual(0);
      expect(feature.latitude).toBeLessThanOrEqual(20);
    }
  });

  it.each(['0', '1', '2.5', '4', '10', '24'])(
    'shows clusters of more, none missing and at most 1,000 features, at zoom %s',
    async (zoom) => {
      const whole = { latitude_min: '-90', latitude_max: '90', longitude_min: '-180', longitude_max: '180' };
      const map = await getMap({ organization_id: fleet.organization, ...whole, zoom });
      expect(map.count).toBe(4000);
      expect(map.features.length).toBeLessThanOrEqual(limits.mapFeatures);
      expect(map.features.reduce((sum, feature) => sum + countOf(feature), 0)).toBe(4000);
      for (const feature of map.features) {
        if (feature.type !== 'cluster') continue;
        expect(feature.countOnline + feature.countOffline + feature.countNever).toBe(feature.count);
        const [west, south, east, north] = feature.bounds;
        expect(feature.longitude).toBeGreaterThanOrEqual(west - 1e-9);
        expect(feature.longitude).toBeLessThanOrEqual(east + 1e-9);
        expect(feature.latitude).toBeGreaterThanOrEqual(south - 1e-9);
        expect(feature.latitude).toBeLessThanOrEqual(north + 1e-9);
      }
    },
  );

  it('follows the filters of the list, and shows nothing of other organizations', async () => {
    expect((await getMap({ organization_id: fleet.organization, status: 'online' })).count).toBe(1000);
    const stranger = await fleet.server.createUser();
    expect(await getMap({ organization_id: fleet.organization }, stranger)).toEqual({
      count: 0,
      features: [],
    });
    expect(await getMap({}, stranger)).toEqual({ count: 0, features: [] });
  });

  it('goes across 180° where the western bound is east of the eastern one', async () => {
    await addController(fleet, { serialNumber: 'FIJI-1' }, { latitude: -17, longitude: 179 });
    await addController(fleet, { serialNumber: 'FIJI-2' }, { latitude: -17, longitude: -179 });
    await addController(fleet, { serialNumber: 'MALI-1' }, { latitude: 17, longitude: 0 });
    await addController(fleet, { serialNumber: 'NOWHERE-1' });
    const { features } = await getMap({
      organization_id: fleet.small,
      longitude_min: '170',
      longitude_max: '-170',
    });
    const found = features.map((feature) =>
      feature.type === 'controller' ? feature.serialNumber : 'cluster',
    );
    expect(found.sort()).toEqual(['FIJI-1', 'FIJI-2']);
    const list = await fleet.server.call('listControllers', {
      as: fleet.user,
      query: { organization_id: fleet.small, longitude_min: '-180', longitude_max: '180' },
    });
    expect(list.body).toMatchObject({ count: 3 });
  });

  it('refuses bounds that are none', async () => {
    const refused = async (query: Record<string, string>) => {
      const { status, body } = await fleet.server.call('mapControllers', { as: fleet.user, query });
      return [status, ...Object.keys(body as object)];
    };
    expect(await refused({ latitude_max: '91' })).toEqual([400, 'latitude_max']);
    expect(await refused({ longitude_min: '-180.1' })).toEqual([400, 'longitude_min']);
    expect(await refused({ latitude_min: '10', latitude_max: '9' })).toEqual([400, 'latitude_min']);
    expect(await refused({ zoom: '25' })).toEqual([400, 'zoom']);
    expect(await refused({ zoom: 'Infinity' })).toEqual([400, 'zoom']);
  });
});
