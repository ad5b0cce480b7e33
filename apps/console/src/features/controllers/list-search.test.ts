import { limits } from '@pult/contract';
import { describe, expect, it } from 'vitest';
import {
  allControllersPageSize,
  countQuery,
  filterQuery,
  listQuery,
  listSearch,
  pageSizes,
  treeQuery,
} from './list-search.ts';

const { isFiltered, read, write } = listSearch;

const group = '01890a5d-ac96-774b-bcce-b302099a8001';

describe('the controllers list in the address', () => {
  it('the controllers list in the address is the default without parameters, and the default leaves none', () => {
    const search = read({});
    expect(search).toEqual({
      page: 1,
      pageSize: 0,
      ordering: { key: 'serial_number', descending: false },
      search: '',
      status: undefined,
      connectionKind: undefined,
      serialNumber: '',
      description: '',
      groupName: '',
      model: '',
      firmwareVersion: '',
      firmware: '',
      agentVersion: '',
      agentUpdate: undefined,
      agents: [],
      offlineMinutesMin: 0,
      groupIds: [],
      ungrouped: false,
      located: undefined,
      monthTrafficMin: 0,
    });
    expect(write(search)).toEqual({});
  });

  it('comes back as it was left', () => {
    const address = {
      search: 'Котельная',
      status: 'offline',
      model: 'Wiren Board 7',
      firmware: 'wb-2507',
      agent_version: '0.1',
      group_ids: `${group},01890a5d-ac96-774b-bcce-b302099a8002`,
      ungrouped: 'true',
      ordering: '-last_seen_at',
      page: '3',
      page_size: '100',
    };
    expect(write(read(address))).toEqual(address);
  });

  it('names agents and absences in the words of the API', () => {
    const address = { agent: '0.1.0,0.2.0-rc.1', offline_minutes_min: '60' };
    const search = read(address);
    expect([isFiltered(search), write(search)]).toEqual([true, address]);
    expect(countQuery('one', search)).toMatchObject({ agent: '0.1.0,0.2.0-rc.1', offline_minutes_min: 60 });
    const none = read({ agent: ' ,,', offline_minutes_min: '-5' });
    expect([none.agents, none.offlineMinutesMin]).toEqual([[], 0]);
    expect(read({ agent: Array(99).fill('1.0.0').join(',') }).agents).toHaveLength(limits.versionsPerFilter);
  });

  // spec: 7.14
  it('spec 7: serial_number, firmware_version, group_name and description of the address are the query’s', () => {
    const address = {
      serial_number: 'A1',
      description: 'Котельная',
      group_name: 'Север',
      firmware_version: '2507',
    };
    const search = read(address);
    expect(isFiltered(search)).toBe(true);
    expect(write(search)).toEqual(address);
    for (const query of [listQuery, filterQuery, countQuery, treeQuery]) {
      expect(query('one', search)).toMatchObject(address);
    }
    const blank = countQuery('one', read({ serial_number: ' ', description: ' ', group_name: ' A ' }));
    expect(blank).toEqual({ organization_id: 'one', group_name: 'A' });
  });

  it('names those without coordinates in the words of the API', () => {
    const search = read({ located: 'false' });
    expect(isFiltered(search)).toBe(true);
    expect(write(search)).toEqual({ located: 'false' });
    expect(countQuery('one', search)).toMatchObject({ located: 'false' });
    expect(read({ located: 'true' }).located).toBeUndefined();
  });

  it('names those with at least so many bytes of a month in the words of the API', () => {
    const search = read({ month_traffic_min: '10000000000' });
    expect(search.monthTrafficMin).toBe(10_000_000_000);
    expect(isFiltered(search)).toBe(true);
    expect(write(search)).toEqual({ month_traffic_min: '10000000000' });
    expect(countQuery('one', search)).toMatchObject({ month_traffic_min: 10_000_000_000 });
    expect(countQuery('one', read({ month_traffic_min: '0' })).month_traffic_min).toBeUndefined();
  });

  it('names the controllers whose agents could not be updated in the words of the API', () => {
    const search = read({ agent_update: 'returned,failed' });
    expect(isFiltered(search)).toBe(true);
    expect(write(search)).toEqual({ agent_update: 'returned,failed' });
    expect(treeQuery('one', search)).toMatchObject({ agent_update: 'returned,failed' });
    expect(read({ agent_update: 'done' }).agentUpdate).toBeUndefined();
  });

  it('names how controllers connect in the words of the API', () => {
    const search = read({ connection_kind: 'wiren-board' });
    expect(isFiltered(search)).toBe(true);
    expect(write(search)).toEqual({ connection_kind: 'wiren-board' });
    expect(treeQuery('one', search)).toMatchObject({ connection_kind: 'wiren-board' });
    expect(read({ connection_kind: 'telnet' }).connectionKind).toBeUndefined();
  });

  it('names the controllers that told no firmware', () => {
    const search = read({ firmware_known: 'false' });
    expect(search.firmware).toBeNull();
    expect(write(search)).toEqual({ firmware_known: 'false' });
    expect(listQuery('one', search)).toMatchObject({ firmware_known: false, firmware: undefined });
  });

  it.each([
    { page: '0' },
    { page_size: '0' },
    { page_size: '-5' },
    { page: '-1' },
    { page: '1e9' },
    { page_size: 'many' },
    { ordering: 'password' },
    { ordering: '-' },
    { status: 'broken' },
    { search: ['a', 'b'] },
    { group_ids: 'boilers,' },
    { ungrouped: 'maybe' },
  ])('shows the default for %j', (address) => {
    expect(write(read(address))).toEqual({});
  });

  // spec: 9.02
  it('spec 9: all controllers are fetched with page size 5000, and never more at once', () => {
    expect(allControllersPageSize).toBe(5000);
    expect(Math.max(...pageSizes)).toBe(allControllersPageSize);
    expect(read({ page_size: '5001' }).pageSize).toBe(5000);
  });

  it('never asks for more than the API takes', () => {
    expect(read({ page_size: '99999' }).pageSize).toBe(limits.pageSizeMax);
    expect(read({ search: 'x'.repeat(300) }).search).toHaveLength(255);
  });

  it('asks the API in its own words', () => {
    expect(listQuery('org', read({ search: ' бойлер ', ordering: '-status', page: '2' }))).toEqual({
      organization_id: 'org',
      search: 'бойлер',
      status: undefined,
      ordering: '-status',
      page: 2,
      page_size: 0,
    });
  });

  // spec: 9.03
  it('spec 9: a plain list is asked for with page size 0, and so is one whose address says 0', () => {
    expect(listQuery('org', read({}))).toMatchObject({ page: 1, page_size: 0 });
    expect(listQuery('org', read({ page_size: '0', page: '2' }))).toMatchObject({ page: 2, page_size: 0 });
  });

  it('counts every group of the tree by the filters of the list, whatever group is chosen', () => {
    const search = read({ search: 'pump', status: 'online', group_ids: group, page: '3' });
    expect(treeQuery('org', search)).toEqual({ organization_id: 'org', search: 'pump', status: 'online' });
    expect(countQuery('org', search)).toEqual({ organization_id: 'org', search: 'pump', group_ids: group });
  });
});
