import type { Controller, SearchResults } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeController, organization, refuse } from '../../features/testing/fake-api.ts';
import { renderConsole } from '../../features/testing/render-console.tsx';
import { setPaletteOpened } from './palette-state.ts';

const other = { ...organization, id: '01890a5d-ac96-774b-bcce-b302099a8001', name: 'School 5' };
const boiler = makeController();
const pump = makeController({
  id: '01890a5d-ac96-774b-bcce-b302099a8002',
  serialNumber: 'A1B2C3D5',
  description: 'Pump station',
  status: 'offline',
  organization: { id: other.id, name: other.name },
  group: { id: '01890a5d-ac96-774b-bcce-b302099a8003', name: 'Cellar', level: 1 },
});
const group = {
  id: '01890a5d-ac96-774b-bcce-b302099a8003',
  name: 'Cellar',
  path: ['House'],
  organization: { id: other.id, name: other.name },
};

const found = (...controllers: Controller[]): SearchResults => ({ controllers, groups: [] });

/** Answers to come, by what is searched for. */
let answers: Record<string, () => unknown>;

beforeEach(() => {
  answers = {};
  vi.stubGlobal('open', vi.fn());
  // Not in the tests' browser.
  Element.prototype.scrollIntoView ??= () => undefined;
});
afterEach(() => setPaletteOpened(false));

function start(options: Parameters<typeof renderConsole>[1] = {}) {
  return renderConsole('/security', {
    ...options,
    answers: {
      listOrganizations: () => [organization, other],
      search: ({ query }) => answers[query.search ?? '']?.() ?? found(),
      ...options.answers,
    },
  });
}

/** Opens it by its keys, once the page is there. */
async function open(name: RegExp | string = 'Search and commands') {
  await screen.findAllByRole('navigation');
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  return screen.findByRole('combobox', { name });
}
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const press = (field: HTMLElement, key: string, modifiers = {}) =>
  fireEvent.keyDown(field, { key, ...modifiers });
const activeText = (field: HTMLElement) =>
  document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-label') ??
  '';

test('opens by Ctrl+K in any alphabet and by the button, has the focus, and closes by Escape', async () => {
  start();
  await screen.findAllByRole('navigation');
  fireEvent.keyDown(window, { key: 'л', code: 'KeyK', ctrlKey: true });
  const field = await screen.findByRole('combobox');
  await waitFor(() => expect(document.activeElement).toBe(field));
  press(field, 'Escape');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Search' }));
  expect(await screen.findByRole('dialog', { name: 'Search and commands' })).toBeTruthy();
});

test('a controller of any organization is found with its status, description, organization and group, and opened', async () => {
  answers.a1b2 = () => found(boiler, pump);
  const { address } = start();
  const field = await open();
  type(field, '  a1b2 ');
  const list = await screen.findByRole('listbox', { name: 'Results' });
  const option = await within(list).findByRole('option', {
    name: /A1B2C3D5.*Offline.*Pump station.*School 5.*Cellar/,
  });
  expect(
    within(list).getByRole('option', { name: /A1B2C3D4.*Online.*Boiler room.*Boiler Works/ }),
  ).toBeTruthy();
  expect(activeText(field)).toContain('A1B2C3D4');
  press(field, 'ArrowDown');
  expect(field.getAttribute('aria-activedescendant')).toBe(option.id);
  expect(option.getAttribute('aria-selected')).toBe('true');
  press(field, 'Enter');
  await waitFor(() => expect(address()).toBe(`/organizations/${other.id}/controllers/A1B2C3D5`));
  expect(screen.queryByRole('combobox')).toBeNull();
});

test('what is typed while the palette is loaded is in its field, with the Enter of a scanner', async () => {
  answers.a1b2 = () => found(boiler);
  const { address } = start();
  await screen.findAllByRole('navigation');
  const keys = (...pressed: string[]) => {
    for (const key of pressed) fireEvent.keyDown(window, { key });
  };
  const shortcut = { key: 'k', code: 'KeyK', ctrlKey: true };
  fireEvent.keyDown(window, shortcut);
  keys('x', 'Escape');
  fireEvent.keyDown(window, shortcut);
  keys('a', '1', 'c', 'Backspace', 'b', 'Shift', '2');
  expect(await screen.findByRole('combobox')).toHaveProperty('value', 'a1b2');
  fireEvent.keyDown(window, shortcut);
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  fireEvent.keyDown(window, shortcut);
  expect(await screen.findByRole('combobox')).toHaveProperty('value', '');
  expect(address()).toBe('/security');
});

test('a scanner that ends before the palette is loaded opens its controller', async () => {
  answers.A1B2C3D4 = () => found(boiler);
  const { address } = start();
  await screen.findAllByRole('navigation');
  fireEvent.keyDown(window, { key: 'k', code: 'KeyK', ctrlKey: true });
  for (const key of [...'A1B2C3D4', 'Enter']) fireEvent.keyDown(window, { key });
  await waitFor(() => expect(address()).toBe(`/organizations/${organization.id}/controllers/A1B2C3D4`));
});

test('Enter that comes before the answer waits for it, as a scanner needs', async () => {
  let answer = (_: SearchResults) => {};
  answers.A1B2C3D4 = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const { address, callsOf } = start();
  const field = await open();
  type(field, 'A1B2C3D4');
  press(field, 'Enter');
  await waitFor(() => expect(callsOf('search')).toHaveLength(1));
  expect(address()).toBe('/security');
  answer(found(boiler));
  await waitFor(() => expect(address()).toBe(`/organizations/${organization.id}/controllers/A1B2C3D4`));
});

test('an answer to an earlier text is dropped, whenever it comes', async () => {
  let answerFirst = (_: SearchResults) => {};
  answers.pump = () =>
    new Promise((resolve) => {
      answerFirst = resolve;
    });
  answers.boiler = () => found(boiler);
  const { callsOf } = start();
  const field = await open();
  type(field, 'pump');
  await waitFor(() => expect(callsOf('search')).toHaveLength(1));
  type(field, 'boiler');
  await screen.findByRole('option', { name: /A1B2C3D4/ });
  answerFirst(found(pump));
  await waitFor(() => expect(callsOf('search')).toHaveLength(2));
  expect(screen.queryByRole('option', { name: /A1B2C3D5/ })).toBeNull();
});

test('letters typed in one go are asked for once', async () => {
  answers.boiler = () => found(boiler);
  const { callsOf } = start();
  const field = await open();
  for (const value of ['b', 'bo', 'boi', 'boil', 'boiler']) type(field, value);
  await screen.findByRole('option', { name: /A1B2C3D4/ });
  expect(callsOf('search').map(({ query }) => query.search)).toEqual(['boiler']);
});

test('Ctrl+Enter opens the web interface, Alt+Enter the terminal', async () => {
  answers.boiler = () => found(boiler);
  const { address } = start();
  let field = await open();
  type(field, 'boiler');
  await screen.findByRole('option', { name: /A1B2C3D4/ });
  press(field, 'Enter', { ctrlKey: true });
  expect(window.open).toHaveBeenCalledWith('/connect/http/A1B2C3D4/', '_blank', 'noopener');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  field = await open();
  type(field, 'boiler');
  await screen.findByRole('option', { name: /A1B2C3D4/ });
  press(field, 'Enter', { altKey: true });
  await waitFor(() => expect(address()).toBe('/connect/ssh/A1B2C3D4/'));
});

test.each([
  ['an offline controller', { ...boiler, status: 'offline' } as Controller, 'The controller is offline'],
  ['a viewer', { ...boiler, userRole: 'viewer' } as Controller, 'Viewers cannot do this'],
] as const)('tunnels of %s stay closed and tell why', async (_, controller, reason) => {
  answers.boiler = () => found(controller);
  const { address } = start();
  const field = await open();
  type(field, 'boiler');
  await screen.findByRole('option', { name: /A1B2C3D4/ });
  press(field, 'Enter', { ctrlKey: true });
  press(field, 'Enter', { altKey: true });
  expect(window.open).not.toHaveBeenCalled();
  expect(address()).toBe('/security');
  expect(await screen.findByText(reason)).toBeTruthy();
  press(field, 'ArrowRight');
  const web = await screen.findByRole('option', { name: /Web interface/ });
  expect(web.getAttribute('aria-disabled')).toBe('true');
  expect(web.getAttribute('aria-label')).toContain(reason);
});

test('the arrow to the right lists what can be done, the one to the left leads back', async () => {
  answers.a1b2 = () => found(boiler, pump);
  const { address } = start();
  const field = await open();
  type(field, 'a1b2');
  await screen.findByRole('option', { name: /A1B2C3D5/ });
  press(field, 'ArrowUp');
  expect(activeText(field)).toContain('A1B2C3D5');
  press(field, 'ArrowRight');
  expect(await screen.findByRole('option', { name: /Show the group “Cellar”/ })).toBeTruthy();
  expect(field.getAttribute('aria-label')).toBe('Actions: A1B2C3D5');
  press(field, 'ArrowLeft');
  expect((field as HTMLInputElement).value).toBe('a1b2');
  expect(activeText(field)).toContain('A1B2C3D5');
  press(field, 'ArrowRight');
  type(field, 'group');
  press(field, 'Enter');
  await waitFor(() => expect(address()).toBe(`/organizations/${other.id}/controllers?group_ids=${group.id}`));
});

test('a group leads to the list of its controllers', async () => {
  answers.cellar = () => ({ controllers: [], groups: [group] });
  const { address } = start();
  const field = await open();
  type(field, 'cellar');
  await screen.findByRole('option', { name: 'Cellar, School 5, House' });
  press(field, 'Enter');
  await waitFor(() => expect(address()).toBe(`/organizations/${other.id}/controllers?group_ids=${group.id}`));
});

test('pages, other organizations and commands are found without the server', async () => {
  const { address } = start({ answers: { search: () => refuse(500, 'internal') } });
  let field = await open();
  type(field, 'school');
  const option = await screen.findByRole('option', { name: 'School 5' });
  fireEvent.click(option);
  await waitFor(() => expect(address()).toBe(`/organizations/${other.id}/controllers`));
  field = await open();
  type(field, 'language');
  fireEvent.click(await screen.findByRole('option', { name: 'Language: Русский' }));
  await waitFor(() => expect(document.documentElement.lang).toBe('ru'));
  field = await open('Поиск и команды');
  type(field, 'темное');
  fireEvent.click(await screen.findByRole('option', { name: 'Тёмное оформление' }));
  await waitFor(() => expect(document.documentElement.dataset.mantineColorScheme).toBe('dark'));
  field = await open('Поиск и команды');
  type(field, 'добавить контроллер');
  fireEvent.click(await screen.findByRole('option', { name: 'Добавить контроллер' }));
  await waitFor(() => expect(address()).toBe('/controllers'));
});

test('a failure is told inside, once, and can be tried again', async () => {
  let fails = true;
  answers.boiler = () => (fails ? refuse(400, 'invalid_request') : found(boiler));
  start();
  const field = await open();
  type(field, 'boiler');
  const failure = (await screen.findByText('The search failed')).closest<HTMLElement>('[role=alert]');
  expect(document.querySelector('.Toastify__toast')).toBeNull();
  fails = false;
  fireEvent.click(within(failure ?? document.body).getByRole('button', { name: 'Try again' }));
  await screen.findByRole('option', { name: /A1B2C3D4/ });
  expect(screen.queryByText('The search failed')).toBeNull();
});

test('nothing found is said, with what is searched', async () => {
  start({ locale: 'ru' });
  const field = await open('Поиск и команды');
  expect(field.getAttribute('aria-expanded')).toBe('true');
  type(field, 'qqq');
  expect(await screen.findByText('По запросу «qqq» ничего не найдено')).toBeTruthy();
  expect(field.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryAllByRole('option')).toHaveLength(0);
});

test('the controllers opened last come first, as they are now, and those that are gone are forgotten', async () => {
  const gone = new Set<string>();
  const { router } = start({
    answers: {
      getController: ({ params }) => {
        if (gone.has(params.serialNumber ?? '')) return refuse(404, 'controller_not_found');
        return params.serialNumber === 'A1B2C3D4' ? boiler : { ...pump, status: 'online' };
      },
    },
  });
  await screen.findAllByRole('navigation');
  for (const { organization: of, serialNumber } of [boiler, pump]) {
    await router.navigate({ href: `/organizations/${of.id}/controllers/${serialNumber}` });
    await screen.findByRole('heading', { level: 1, name: new RegExp(serialNumber) });
  }
  const field = await open();
  await screen.findByText('Recent controllers');
  expect(activeText(field)).toMatch(/A1B2C3D5.*Online/);
  press(field, 'Escape');
  gone.add('A1B2C3D5');
  const again = await open();
  await waitFor(() => expect(activeText(again)).toContain('A1B2C3D4'));
  expect(screen.queryByRole('option', { name: /A1B2C3D5/ })).toBeNull();
  expect(document.querySelector('.Toastify__toast')).toBeNull();
});

test.each([
  ['en', 'ьфз', 'Map'],
  ['ru', 'rfhnf', 'Карта'],
  ['ru', 'map', undefined],
] as const)('the wrong layout is corrected, in the console in %s: %s', async (locale, typed, label) => {
  start({ locale, answers: { listOrganizations: () => [organization] } });
  const field = await open(locale === 'en' ? 'Search and commands' : /./);
  type(field, typed);
  if (label === undefined) expect(await screen.findByText(/«map»/)).toBeTruthy();
  else expect(await screen.findByRole('option', { name: label })).toBeTruthy();
});

test('a serial number in the wrong layout is looked for as the keys mean it', async () => {
  answers.a1b2 = () => found(boiler);
  const { callsOf } = start();
  type(await open(), 'ф1и2');
  await screen.findByRole('option', { name: /A1B2C3D4/ });
  expect(callsOf('search').map(({ query }) => query.search)).toEqual(['ф1и2', 'a1b2']);
});
