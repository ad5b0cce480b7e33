import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { organization, organizationId, startApp } from '../../../app/testing/start-app.tsx';

afterEach(cleanup);

test('an organization is shown with role, controllers and how many are online', async () => {
  startApp({
    path: '/organizations',
    answers: {
      'GET /api/v1/controllers-count/': { count: 1200, countOnline: 1, countOffline: 1199, countNever: 0 },
    },
  });
  await screen.findByText('Your role: owner');
  await screen.findByText('1,200 controllers');
  expect(screen.getByText('1 online')).toBeTruthy();
});

test('the page without an organization says what to do and makes one', async () => {
  const { href, answers } = startApp({
    path: '/organizations',
    answers: { 'GET /api/v1/organizations/': [], 'POST /api/v1/organizations/': organization },
  });
  await screen.findByText('No organizations yet');
  const [button] = screen.getAllByRole('button', { name: 'Create organization' });
  if (!button) throw new Error('no button');
  fireEvent.click(button);
  answers['GET /api/v1/organizations/'] = [organization];
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: ' Acme ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(href()).toBe(`/organizations/${organizationId}/controllers`));
});

test('a list that could not be loaded is offered again', async () => {
  const { answers } = startApp({ path: '/organizations', answers: { 'GET /api/v1/organizations/': 400 } });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answers['GET /api/v1/organizations/'] = [organization];
  fireEvent.click(retry);
  await screen.findByText('Your role: owner');
});

test('an organization is left from its card, after a question', async () => {
  const { answers, calls } = startApp({
    path: '/organizations',
    answers: { [`POST /api/v1/organizations/${organizationId}/leave/`]: 204 },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for Acme' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Leave organization' }));
  answers['GET /api/v1/organizations/'] = [];
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await screen.findByText('No organizations yet');
  expect(calls).toContain(`POST /api/v1/organizations/${organizationId}/leave/`);
});

test('a session of one organization is offered no other to make', async () => {
  startApp({
    path: '/organizations',
    answers: {
      'GET /api/v1/users/me/': { id: 'u', email: 'me@example.com', locale: 'en', signedInto: organizationId },
    },
  });
  await screen.findByText('Your role: owner');
  expect(screen.queryByRole('button', { name: 'Create organization' })).toBeNull();
});
