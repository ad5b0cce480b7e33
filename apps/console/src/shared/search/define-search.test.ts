import { limits } from '@pult/contract/values';
import { describe, expect, it } from 'vitest';
import { defineSearch } from './define-search.ts';
import { flag, ids, oneOf, order, paging, someOf, text } from './search-parts.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8001';
const definition = defineSearch({
  name: text(),
  status: oneOf(['online', 'offline']),
  kind: oneOf(['all', 'own'], 'all'),
  action: someOf(['opened', 'closed']),
  groupIds: ids(2),
  located: flag(),
  ordering: order(['name', 'status'], { key: 'name', descending: false }),
  ...paging(),
});

describe('a search of an address', () => {
  it('reads the initial values of a plain address, and writes nothing for them', () => {
    expect(definition.read({})).toEqual(definition.initial);
    expect(definition.write(definition.initial)).toEqual({});
    expect(definition.isFiltered(definition.initial)).toBe(false);
  });

  it('reads what it has written', () => {
    const address = {
      name: 'pump & co',
      status: 'online',
      kind: 'own',
      action: 'opened,closed',
      group_ids: id,
      located: 'true',
      ordering: '-status',
      page: '3',
      page_size: '25',
    };
    expect(definition.write(definition.read(address))).toEqual(address);
  });

  it.each([
    { page: '0' },
    { page: '-1' },
    { page: '1e9' },
    { page_size: 'many' },
    { page_size: '0' },
    { status: 'broken' },
    { kind: ['own'] },
    { action: 'nothing,,' },
    { group_ids: 'boilers,' },
    { located: 'false' },
    { ordering: '-' },
    { name: ['a', 'b'] },
  ])('reads %j as if it were not there', (address) => {
    expect(definition.read(address)).toEqual(definition.initial);
  });

  it('asks for no more than the API takes', () => {
    const search = definition.read({
      name: 'x'.repeat(300),
      page: '999999999',
      page_size: '99999',
      group_ids: [id, id, id.replace('1', '2'), id.replace('1', '3')].join(),
    });
    expect(search.name).toHaveLength(limits.filterLength);
    expect(search).toMatchObject({ page: limits.pageMax, pageSize: limits.pageSizeMax });
    expect(search.groupIds).toEqual([id, id.replace('1', '2')]);
  });

  it('leads back to the first page by any change but one of the page', () => {
    const search = { ...definition.initial, page: 4 };
    expect(definition.apply(search, { status: 'online' })).toMatchObject({ page: 1, status: 'online' });
    expect(definition.apply(search, { page: 5 }).page).toBe(5);
  });

  it('keeps order and page size when its filters are reset', () => {
    const search = definition.read({ name: 'a', ordering: '-status', page: '2', page_size: '50' });
    expect(definition.isFiltered(search)).toBe(true);
    const all = definition.apply(search, definition.reset);
    expect(definition.write(all)).toEqual({ ordering: '-status', page_size: '50' });
  });

  it('takes a change of texts alone for typing', () => {
    expect(definition.isTyping({ name: 'a' })).toBe(true);
    expect(definition.isTyping({ name: 'a', status: 'online' })).toBe(false);
  });

  it('leaves what the address says besides', () => {
    expect(definition.leave({ tab: 'tunnels', name: 'a', action: 'opened', page_size: '50' })).toEqual({
      tab: 'tunnels',
    });
  });
});
