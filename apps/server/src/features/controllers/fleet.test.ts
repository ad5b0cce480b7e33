import { type ControllersMap, controllerStatuses, type StatusCounts, statusCountOf } from '@pult/contract';
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
  const overview = await fleet.server.call('getOverview', { as: fleet.user, params });
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
