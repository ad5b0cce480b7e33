import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { createCacheRules } from './cache-rules.ts';

const keys = [
  queryKeys.environments,
  queryKeys.currentUser,
  queryKeys.organizations.list,
  queryKeys.controllers.detail('A1'),
  queryKeys.groups.tree({ organization_id: 'a' }),
];

function fill() {
  const client = new QueryClient();
  for (const key of keys) client.setQueryData([...key], 'cached');
  const left = () => keys.filter((key) => client.getQueryData([...key]) !== undefined);
  return { rules: createCacheRules(client), left };
}

test('spec 2: another organization resets cached controllers, organizations and groups', () => {
  const { rules, left } = fill();
  rules.enterOrganization('one');
  expect(left()).toEqual(keys);
  rules.enterOrganization('one');
  expect(left()).toEqual(keys);
  rules.enterOrganization('two');
  expect(left()).toEqual([queryKeys.environments, queryKeys.currentUser]);
});

test('spec 2: after a navigation without authorization all but the environments is reset', () => {
  const { rules, left } = fill();
  rules.afterNavigation(true);
  expect(left()).toEqual(keys);
  rules.afterNavigation(false);
  expect(left()).toEqual([queryKeys.environments]);
});
