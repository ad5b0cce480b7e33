import { routes } from '@pult/contract';
import { expect, test } from 'vitest';
import { routeTable } from '../../../route-table.ts';

test('the table of the built page has each route’s method, path and confirmation, and no schema', () => {
  const { load } = routeTable();
  if (typeof load !== 'function') throw new Error('the plugin loads nothing');
  // Nothing of the plugin's context is used.
  const { code } = Reflect.apply(load, undefined, ['/x/packages/contract/src/routes/index.ts']);
  const table = JSON.parse(code.replace(/^export const routes = /, '').replace(/;$/, ''));
  expect(Object.keys(table)).toEqual(Object.keys(routes));
  expect(table.deleteController).toEqual({
    method: 'DELETE',
    path: '/api/v1/controllers/{serialNumber}/',
    confirmation: 'delete_controller',
  });
  expect(table.listOrganizations).toEqual({ method: 'GET', path: '/api/v1/organizations/' });
});
