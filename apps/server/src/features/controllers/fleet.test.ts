import {
  type ControllersMap,
  controllerStatuses,
  type FleetOverview,
  type StatusCounts,
  statusCountOf,
} from '@pult/contract';
import { createTestController } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addController, createFleet, type Fleet } from './fleet.fixture.ts';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await createFleet();
});
afterAll(() => fleet.server.close());

describe('the export', () => {
  const exportOf = (query: Record<string, string>, as = fleet.user) =>
    fleet.server.call('exportControllers', { as, query });

  it('the export is a file of all that match, by serial number, in parts that nobody notices', async () => {
    const answer = await exportOf({ organization_id: fleet.organization });
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': expect.stringMatching(/^attachment; filename="controllers-[\d-]{10}\.csv"$/),
        'cache-control': 'no-store',
      },
    });
    const [head = '', ...lines] = String(answer.body).trimEnd().split('\r\n');
    expect(head).toMatch(/^\ufeffSerial number,Description,/);
    const serials = lines.map((line) => line.split(',')[0] ?? '');
    expect(new Set(serials).size).toBe(fleet.size);
    const rows = await fleet.server.db
      .selectFrom('controllers')
      .select('serial_number')
      .where('organization_id', '=', fleet.organization)
      .orderBy('serial_number')
      .execute();
    expect(serials).toEqual(rows.map((row) => row.serial_number));
    const found = String(
      (await exportOf({ organization_id: fleet.organization, serial_number: 'L4999' })).body,
    );
    expect(found.trimEnd().split('\r\n')).toHaveLength(2);
  });

  it('runs nothing in a spreadsheet, and keeps texts and numbers whole', async () => {
    await addController(
      fleet,
      { serialNumber: 'CSV-1', description: '=HYPERLINK("http://evil.example";"x")' },
      { latitude: -12.5, longitude: 7 },
    );
    await addController(fleet, { serialNumber: 'CSV-2', description: '@sum(1), "a"\nb' });
    const { body } = await exportOf({ organization_id: fleet.small, serial_number: 'CSV-' });
    const [, ...lines] = String(body).split('\r\n');
    expect(lines[0]).toMatch(
      /^CSV-1,"'=HYPERLINK\(""http:\/\/evil\.example"";""x""\)","Small, ""quoted""",,Never connected/,
    );
    expect(lines[0]).toContain(',-12.5,7,');
    expect(lines[1]).toMatch(/^CSV-2,"'@sum\(1\), ""a""\nb",/);
  });

  it('a controller says by which kind of connection its device comes, in answers and in the file', async () => {
    await addController(fleet, { serialNumber: 'BY-SSH' }, { connection_kind: 'ssh' });
    const { body } = await fleet.server.call('getController', {
      as: fleet.user,
      params: { serialNumber: 'BY-SSH' },
    });
    expect(body).toMatchObject({ connectionKind: 'ssh' });
    const file = await exportOf({ organization_id: fleet.small, serial_number: 'BY-SSH' });
    expect(String(file.body)).toMatch(/,Agent version,Connection,.*\r\nBY-SSH,.*,SSH,/);
  });

  it('speaks the language of the account, since a download has no other', async () => {
    const russian = await fleet.server.createUser();
    await fleet.server.db.updateTable('users').set({ locale: 'ru' }).where('id', '=', russian.id).execute();
    await fleet.server.addMember(fleet.small, russian, 'viewer');
    const { body } = await exportOf({ organization_id: fleet.small, serial_number: 'CSV-1' }, russian);
    expect(String(body)).toMatch(/^\ufeffСерийный номер,.*\r\nCSV-1,.*,Не подключался,/);
    const asked = { organization_id: fleet.small, serial_number: 'CSV-1', time_zone: 'Asia/Omsk' };
    const file = String((await exportOf(asked, russian)).body);
    expect(file).toMatch(/^\ufeffСерийный номер;.*;Активирован \(Asia\/Omsk\);/);
    expect(file).toMatch(/;-12,5;7;\d\d\.\d\d\.\d{4} \d\d:\d\d:\d\d;/);
    expect(await exportOf({ ...asked, time_zone: 'Omsk' }, russian)).toMatchObject({
      status: 400,
      body: { time_zone: ['Такого часового пояса нет.'] },
    });
  });
});

describe('the overview', () => {
  const overviewOf = async (organizationId: string) => {
    const { body } = await fleet.server.call('getFleetOverview', {
      as: fleet.user,
      params: { organizationId },
    });
    return body as FleetOverview;
  };

  it('adds up to the fleet, by status, by firmware and by root group', async () => {
    const overview = await overviewOf(fleet.organization);
    expect(overview).toMatchObject({
      count: fleet.size,
      countOnline: 1250,
      countOffline: 2500,
      countNever: 1250,
    });
    expect(overview.firmware).toHaveLength(10);
    expect(overview.otherFirmware).toMatchObject({ versions: 30, count: fleet.size - 10 * 125 });
    expect(overview.groups).toHaveLength(10);
    const grouped = overview.groups.reduce((sum, group) => sum + group.count, 0);
    expect([grouped, overview.ungrouped.count]).toEqual([4500, 500]);
    const [first] = overview.groups;
    const list = await fleet.server.call('countControllers', {
      as: fleet.user,
      query: { organization_id: fleet.organization, group_ids: first?.id ?? '' },
    });
    expect(list.body).toMatchObject({ count: first?.count, countOnline: first?.countOnline });
  });

  it('names who was lost and who was added last, latest first', async () => {
    const own = await fleet.server.createOrganization(fleet.user);
    const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes));
    for (let number = 1; number <= 12; number += 1) {
      await createTestController(fleet.server, {
        organizationId: own,
        serialNumber: `OV-${number}`,
        status: number === 12 ? 'online' : 'offline',
        lastSeenAt: at(number),
        activatedAt: at(100 - number),
      });
    }
    const { recentlyLost, recentlyAdded } = await overviewOf(own);
    const serials = (rows: { serialNumber: string }[]) =>
      rows.map(({ serialNumber }) => serialNumber.slice(3));
    expect(serials(recentlyLost)).toEqual(['11', '10', '9', '8', '7', '6', '5', '4', '3', '2']);
    expect(serials(recentlyAdded)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  });

  it('the overview of an organization without controllers is all zeros', async () => {
    const overview = await overviewOf(await fleet.server.createOrganization(fleet.user));
    expect(overview).toMatchObject({
      count: 0,
      firmware: [],
      groups: [],
      recentlyLost: [],
      recentlyAdded: [],
    });
  });
});

it('list, overview and map count each status alike, and offline apart from never seen', async () => {
  const inOrganization = { organization_id: fleet.organization };
  const count = async (query: Record<string, string>) => {
    const answer = await fleet.server.call('countControllers', {
      as: fleet.user,
      query: { ...inOrganization, ...query },
    });
    return answer.body as StatusCounts;
  };
  // The database keeps these, and counts those with a place one by one.
  const all = await count({});
  const located = await count({ located: 'true' });
  expect(all).toEqual({ count: 5000, countOnline: 1250, countOffline: 2500, countNever: 1250 });
  expect(located.countOnline + located.countOffline + located.countNever).toBe(located.count);
  const params = { organizationId: fleet.organization };
  const overview = await fleet.server.call('getFleetOverview', { as: fleet.user, params });
  expect(overview.body).toMatchObject(all);

  const map = await fleet.server.call('mapControllers', { as: fleet.user, query: inOrganization });
  const onMap = { count: 0, countOnline: 0, countOffline: 0, countNever: 0 };
  for (const feature of (map.body as ControllersMap).features) {
    onMap.count += feature.type === 'cluster' ? feature.count : 1;
    for (const status of controllerStatuses) {
      const name = statusCountOf[status];
      onMap[name] += feature.type === 'cluster' ? feature[name] : Number(feature.status === status);
    }
  }
  expect(onMap).toEqual(located);
});

it('every figure of the overview is the count of the list that it leads to', async () => {
  const organizationId = await fleet.server.createOrganization(fleet.user, 'Figures');
  const add = (
    firmwareVersion: string,
    status: 'online' | 'offline' | 'never',
    groupId: string | null = null,
  ) => createTestController(fleet.server, { organizationId, firmwareVersion, status, groupId });
  const group = async (name: string, parent: string | null) => {
    const body = { name, parent, organization: organizationId };
    const answer = await fleet.server.call('createGroup', { as: fleet.user, body });
    return (answer.body as { id: string }).id;
  };
  const root = await group('Root', null);
  const below = await group('Below', root);
  // Versions that hold one another, that differ in case only, and none.
  await add('1.0', 'online', root);
  await add('1.0.1', 'online', below);
  await add('1.0.1', 'never', below);
  await add('RC-Ё', 'offline');
  await add('rc-ё', 'online');
  await add('', 'offline', root);
  const { body } = await fleet.server.call('getFleetOverview', {
    as: fleet.user,
    params: { organizationId },
  });
  const overview = body as FleetOverview;
  const count = async (query: Record<string, string>) => {
    const answer = await fleet.server.call('countControllers', {
      as: fleet.user,
      query: { organization_id: organizationId, ...query },
    });
    return (answer.body as { count: number }).count;
  };
  expect(overview.count).toBe(await count({}));
  expect(overview.countOnline).toBe(await count({ status: 'online' }));
  expect(overview.countOffline).toBe(await count({ status: 'offline' }));
  expect(overview.countNever).toBe(await count({ status: 'never' }));
  expect(overview.firmware.map(({ firmwareVersion }) => firmwareVersion).sort()).toEqual(
    ['', '1.0', '1.0.1', 'RC-Ё', 'rc-ё'].sort(),
  );
  for (const { firmwareVersion, ...counts } of overview.firmware) {
    const query: Record<string, string> = firmwareVersion
      ? { firmware: firmwareVersion }
      : { firmware_known: 'false' };
    expect(await count(query)).toBe(counts.count);
    expect(await count({ ...query, status: 'online' })).toBe(counts.countOnline);
  }
  for (const { id, ...counts } of overview.groups) expect(await count({ group_ids: id })).toBe(counts.count);
  expect(overview.ungrouped.count).toBe(await count({ ungrouped: 'true' }));
  expect(await count({ firmware_known: 'true' })).toBe(5);
});
