import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { makeGroup } from '../../groups/testing/make-group.ts';
import { showWideScreen } from '../../groups/testing/wide-screen.ts';
import { asRole, makeController, organization, pageOf, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const list = `/organizations/${organization.id}/controllers`;
const offline = makeController({ serialNumber: 'OFF00001', status: 'offline', description: 'Pump' });
const never = makeController({ serialNumber: 'NEW00001', status: 'never', lastSeenAt: null });

const row = (name: RegExp) => screen.findByRole('row', { name });

describe('the controllers list', () => {
  it('shows each controller with its status in words', async () => {
    const left = makeController({
      serialNumber: 'LEFT0001',
      status: 'offline',
      detachedAt: '2025-11-20T09:40:00Z',
    });
    renderConsole(list, {
      answers: { listControllers: () => pageOf(makeController(), offline, left, never) },
    });
    expect(within(await row(/A1B2C3D4/)).getByText('Online')).toBeTruthy();
    expect(within(await row(/OFF00001/)).getByText('Offline')).toBeTruthy();
    expect(within(await row(/LEFT0001/)).getByText('Detached')).toBeTruthy();
    expect(within(await row(/NEW00001/)).getByText('Never seen')).toBeTruthy();
  });

  it('shows what the device says as plain text', async () => {
    const hostile = makeController({ firmwareVersion: '<img src=x onerror=alert(1)>' });
    renderConsole(list, { answers: { listControllers: () => pageOf(hostile) } });
    expect(await screen.findByText('<img src=x onerror=alert(1)>')).toBeTruthy();
    expect(document.querySelectorAll('td img')).toHaveLength(0);
  });

  it('searches in Cyrillic while one types, and keeps the search in the address', async () => {
    const { callsOf, address } = renderConsole(list);
    fireEvent.change(await screen.findByRole('searchbox'), { target: { value: 'Котельная' } });
    await waitFor(() => expect(address()).toContain('search=Котельная'));
    await waitFor(() => expect(callsOf('listControllers').at(-1)?.query.search).toBe('Котельная'));
    expect(callsOf('countControllers').at(-1)?.query.search).toBe('Котельная');
  });

  // spec: 7.13
  it('opens as its address says', async () => {
    const { callsOf } = renderConsole(
      `${list}?search=pump&status=offline&ordering=-last_seen_at&page=2&page_size=50`,
    );
    await row(/A1B2C3D4/);
    expect(callsOf('listControllers').at(-1)?.query).toEqual({
      organization_id: organization.id,
      search: 'pump',
      status: 'offline',
      ordering: '-last_seen_at',
      page: '2',
      page_size: '50',
    });
    expect(screen.getByRole('radio', { name: /Offline/ })).toHaveProperty('checked', true);
  });

  it('filters by status and shows how many each status has', async () => {
    const { address } = renderConsole(list, {
      answers: {
        countControllers: () => ({ count: 1204, countOnline: 1180, countOffline: 20, countNever: 4 }),
      },
    });
    expect(await screen.findByRole('radio', { name: 'All 1,204' })).toBeTruthy();
    expect(screen.getByRole('radio', { name: 'Never seen 4' })).toBeTruthy();
    fireEvent.click(screen.getByRole('radio', { name: 'Offline 20' }));
    await waitFor(() => expect(address()).toContain('status=offline'));
  });

  it('the group of a row has its path where another group is called alike', async () => {
    const site = (name: string) =>
      makeGroup(name, { subgroups: [makeGroup(`${name} boilers`, { name: 'Boilers' })] });
    const inGroup = (serialNumber: string, id: string, name: string) =>
      makeController({ serialNumber, group: { id, name, level: 1 } });
    renderConsole(list, {
      answers: {
        listGroups: () => [site('North'), site('South')],
        listControllers: () =>
          pageOf(inGroup('PUMP0001', 'South boilers', 'Boilers'), inGroup('PUMP0002', 'North', 'North')),
      },
    });
    await waitFor(async () => {
      expect((await row(/PUMP0001/)).textContent).toContain('South › Boilers');
    });
    expect(within(await row(/PUMP0001/)).getByTitle('South › Boilers')).toBeTruthy();
    expect(within(await row(/PUMP0002/)).getByText('North')).toBeTruthy();
  });

  it('sorts by a header, and the other way at the second press', async () => {
    const { address } = renderConsole(list);
    fireEvent.click(await screen.findByRole('button', { name: 'Description' }));
    await waitFor(() => expect(address()).toContain('ordering=description'));
    fireEvent.click(screen.getByRole('button', { name: 'Description' }));
    await waitFor(() => expect(address()).toContain('ordering=-description'));
    expect(screen.getByRole('columnheader', { name: 'Description' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
  });

  it('pages in the address', async () => {
    const { address } = renderConsole(list, {
      answers: { listControllers: () => ({ ...pageOf(makeController()), count: 60 }) },
    });
    fireEvent.click(await screen.findByRole('button', { name: '2' }));
    await waitFor(() => expect(address()).toContain('page=2'));
    expect(screen.getByText('26–50 of 60')).toBeTruthy();
  });

  // spec: 9.02
  it('spec 9: all controllers are fetched by one call of page size 5000', async () => {
    const many = Array.from({ length: 5000 }, (_, index) =>
      makeController({ serialNumber: `N${String(index).padStart(4, '0')}` }),
    );
    const { callsOf } = renderConsole(`${list}?page=3`, {
      answers: {
        listControllers: ({ query }) => ({
          ...pageOf(...(query.page_size === '5000' ? many : many.slice(50, 75))),
          count: 5000,
        }),
      },
    });
    fireEvent.change(await screen.findByRole('combobox', { name: 'Rows per page' }), {
      target: { value: '5000' },
    });
    expect(await screen.findByText('1–5,000 of 5,000')).toBeTruthy();
    expect(callsOf('listControllers').at(-1)?.query).toMatchObject({ page: '1', page_size: '5000' });
    // Only the rows in view are drawn; what they are among is told all the same.
    await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('5001'));
    expect(screen.getAllByRole('row').length).toBeLessThan(200);
  });

  it('the controllers list past the last page says so, and leads back to the first', async () => {
    const { address } = renderConsole(`${list}?page=7&search=pump`, {
      answers: {
        listControllers: ({ query }) => ({ ...pageOf(...(query.page === '1' ? [offline] : [])), count: 26 }),
      },
    });
    expect(await screen.findByRole('heading', { name: 'There is no such page' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Go to the first page' }));
    expect(await row(/OFF00001/)).toBeTruthy();
    expect(address()).toBe(`${list}?search=pump`);
  });

  // spec: 9.03
  it.each([
    ['', '0'],
    ['?page_size=0', '0'],
    ['?page_size=all', '0'],
    ['?page_size=5001', '5000'],
  ])('spec 9: the list at “%s” is asked for with page size %s', async (query, size) => {
    const { callsOf } = renderConsole(list + query);
    expect(await row(/A1B2C3D4/)).toBeTruthy();
    expect(callsOf('listControllers').map(({ query: asked }) => asked.page_size)).toEqual([size]);
  });

  it('a list of the server’s own size is told in its rows, and chosen again leaves a plain address', async () => {
    const { address } = renderConsole(`${list}?page_size=0&page=2`, {
      answers: { listControllers: () => ({ ...pageOf(makeController()), count: 60 }) },
    });
    expect(await screen.findByText('26–50 of 60')).toBeTruthy();
    const size = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' });
    expect(size.value).toBe('25');
    fireEvent.change(size, { target: { value: '50' } });
    await waitFor(() => expect(address()).toBe(`${list}?page_size=50`));
    fireEvent.change(size, { target: { value: '25' } });
    await waitFor(() => expect(address()).toBe(list));
  });

  it('goes back and forward through filter, order and page', async () => {
    const { address, router } = renderConsole(list, {
      answers: { listControllers: () => ({ ...pageOf(makeController()), count: 60 }) },
    });
    fireEvent.click(await screen.findByRole('radio', { name: /Offline/ }));
    await waitFor(() => expect(address()).toBe(`${list}?status=offline`));
    fireEvent.click(await screen.findByRole('button', { name: 'Description' }));
    await waitFor(() => expect(address()).toContain('ordering=description'));
    fireEvent.click(await screen.findByRole('button', { name: '3' }));
    await waitFor(() => expect(address()).toContain('page=3'));
    router.history.back();
    await waitFor(() => expect(address()).toBe(`${list}?status=offline&ordering=description`));
    router.history.back();
    router.history.back();
    await waitFor(() => expect(address()).toBe(list));
    expect(screen.getByRole('radio', { name: /^All/ })).toHaveProperty('checked', true);
    router.history.forward();
    await waitFor(() => expect(address()).toBe(`${list}?status=offline`));
    expect(screen.getByRole('radio', { name: /Offline/ })).toHaveProperty('checked', true);
  });

  it('disables the ways to an offline controller, with the reason', async () => {
    renderConsole(list, { answers: { listControllers: () => pageOf(offline) } });
    const terminal = await screen.findByRole('link', { name: 'Open the terminal of OFF00001' });
    await waitFor(() => expect(terminal.getAttribute('aria-disabled')).toBe('true'));
    fireEvent.mouseEnter(terminal);
    expect(await screen.findByText('The controller is offline')).toBeTruthy();
  });

  it('disables them for a viewer, with the reason', async () => {
    renderConsole(list, { answers: asRole('viewer') });
    const web = await screen.findByRole('link', { name: 'Open the web interface of A1B2C3D4' });
    expect(web.getAttribute('aria-disabled')).toBe('true');
    fireEvent.mouseEnter(web);
    expect(await screen.findByText(/Viewers cannot do this/)).toBeTruthy();
  });

  it('row actions go by the role at each controller, not by that in the organization', async () => {
    const north = makeController({ serialNumber: 'NORTH001', userRole: 'admin' });
    const south = makeController({ serialNumber: 'SOUTH001', userRole: 'viewer' });
    const listControllers = () => pageOf(north, south);
    const ways = async () => {
      const links = ['NORTH001', 'SOUTH001'].map((name) =>
        screen.findByRole('link', { name: `Open the web interface of ${name}` }),
      );
      return (await Promise.all(links)).map((link) => link.getAttribute('aria-disabled'));
    };
    // A viewer of all with more at one, and somebody with two parts.
    for (const own of [{ userRole: 'viewer' }, { userRole: 'admin', isPartial: true }]) {
      const getOrganization = () => ({ ...organization, ...own });
      const { unmount } = renderConsole(list, { answers: { listControllers, getOrganization } });
      expect(await ways()).toEqual([null, 'true']);
      unmount();
    }
  });

  it('says how to add the first controller when there is none', async () => {
    vi.spyOn(window.location, 'hostname', 'get').mockReturnValue('pult.example');
    renderConsole(list, { answers: { listControllers: () => pageOf() } });
    expect(await screen.findByRole('heading', { name: 'No controllers yet' })).toBeTruthy();
    expect(screen.getByText(/^curl -fsSL http.*install\.sh/)).toBeTruthy();
  });

  it('leaves out the command where other devices would not find the server by its address', async () => {
    renderConsole(list, { answers: { listControllers: () => pageOf() } });
    expect(await screen.findByRole('heading', { name: 'No controllers yet' })).toBeTruthy();
    expect(screen.queryByText(/install\.sh/)).toBeNull();
  });

  it('offers to clear the filters when nothing matches', async () => {
    const { address } = renderConsole(`${list}?search=zzz&status=online`, {
      answers: { listControllers: ({ query }) => (query.search ? pageOf() : pageOf(makeController())) },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
    expect(await row(/A1B2C3D4/)).toBeTruthy();
    expect(address()).toBe(list);
  });

  it('says that a group is empty, and leads back to all controllers', async () => {
    const { address } = renderConsole(`${list}?group_ids=${organization.id}`, {
      answers: { listControllers: ({ query }) => (query.group_ids ? pageOf() : pageOf(makeController())) },
    });
    await screen.findByRole('heading', { name: 'This group has no controllers' });
    fireEvent.click(screen.getByRole('button', { name: 'Show all controllers' }));
    expect(await row(/A1B2C3D4/)).toBeTruthy();
    expect(address()).toBe(list);
  });

  it('says what failed and tries again', async () => {
    let isDown = true;
    renderConsole(list, {
      answers: {
        listControllers: () =>
          isDown ? refuse(400, 'invalid_request', 'Not understood.') : pageOf(makeController()),
      },
    });
    expect(await screen.findByRole('heading', { name: 'Could not load the controllers' })).toBeTruthy();
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await row(/A1B2C3D4/)).toBeTruthy();
  });

  it('follows a status without reload', async () => {
    const { emit } = renderConsole(list);
    expect(within(await row(/A1B2C3D4/)).getByText('Online')).toBeTruthy();
    await emit({
      type: 'controller.status',
      serialNumber: 'A1B2C3D4',
      status: 'offline',
      statusReason: 'link',
      statusSince: '2025-11-20T10:00:00Z',
      lastSeenAt: '2025-11-20T10:00:00Z',
    });
    expect(within(await row(/A1B2C3D4/)).getByText('Offline')).toBeTruthy();
  });

  it('narrows the list to controllers with much traffic from the menu of filters, and widens it again', async () => {
    const { address, callsOf } = renderConsole(list, { locale: 'ru' });
    fireEvent.click(await screen.findByRole('button', { name: 'Фильтры' }));
    fireEvent.click(await screen.findByRole('menuitemradio', { name: 'От 100\u00a0МБ' }));
    await waitFor(() => expect(callsOf('listControllers').at(-1)?.query.month_traffic_min).toBe('104857600'));
    expect(address()).toBe(`${list}?month_traffic_min=104857600`);
    expect(screen.getByText('Трафик за месяц от 100 МБ')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Не фильтровать: Трафик за месяц' }));
    await waitFor(() => expect(address()).toBe(list));
  });

  it('filters by how controllers connect, from the menu, and back', async () => {
    const { address, callsOf } = renderConsole(list, {
      answers: { listControllers: () => pageOf(makeController({ connectionKind: 'wiren-board' })) },
    });
    expect(within(await row(/A1B2C3D4/)).getByText('Wiren Board')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Filters' }));
    fireEvent.click(await screen.findByRole('menuitemradio', { name: 'Wiren Board' }));
    await waitFor(() => expect(address()).toBe(`${list}?connection_kind=wiren-board`));
    expect(callsOf('listControllers').at(-1)?.query.connection_kind).toBe('wiren-board');
    expect(callsOf('countControllers').at(-1)?.query.connection_kind).toBe('wiren-board');
    expect(screen.getByText('Connection: Wiren Board')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Do not filter: Connection' }));
    await waitFor(() => expect(address()).toBe(list));
  });

  // spec: 7.14
  it.each([
    ['Serial number', 'serial_number'],
    ['Description', 'description'],
    ['Group', 'group_name'],
    ['Firmware', 'firmware_version'],
    ['Agent', 'agent_version'],
  ])('spec 7: is filtered by the text of a field, in the address: %s', async (field, parameter) => {
    const { callsOf, address } = renderConsole(list);
    await row(/A1B2C3D4/);
    fireEvent.click(screen.getByRole('button', { name: 'Filters' }));
    const input = await screen.findByRole('textbox', { name: field });
    fireEvent.change(input, { target: { value: 'b2' } });
    await waitFor(() => expect(address()).toBe(`${list}?${parameter}=b2`));
    await waitFor(() => expect(callsOf('listControllers').at(-1)?.query[parameter]).toBe('b2'));
    expect(callsOf('countControllers').at(-1)?.query[parameter]).toBe('b2');
    expect(screen.getByText(`${field}: contains “b2”`)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: `Do not filter: ${field}` }));
    await waitFor(() => expect(address()).toBe(list));
  });

  it('opens a controller by a click anywhere in its row, in a new tab by the middle button', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    const { address } = renderConsole(list);
    const cell = within(await row(/A1B2C3D4/)).getByText('wb-2507');
    fireEvent(cell, new MouseEvent('auxclick', { bubbles: true, button: 1 }));
    const path = `/organizations/${organization.id}/controllers/A1B2C3D4`;
    expect(opened).toHaveBeenCalledWith(path, '_blank', 'noopener');
    fireEvent.click(screen.getByRole('checkbox', { name: /A1B2C3D4/ }));
    expect(address()).toBe(list);
    fireEvent.click(cell);
    await waitFor(() => expect(address()).toBe(path));
  });

  it('leads by the description, which comes first', async () => {
    renderConsole(list);
    const link = await screen.findByRole('link', { name: 'Boiler room' });
    expect(link.getAttribute('href')).toBe(`/organizations/${organization.id}/controllers/A1B2C3D4`);
    const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(heads.slice(1, 3)).toEqual(['Description', 'Serial number']);
    expect(screen.getByRole('link', { name: 'A1B2C3D4' }).tabIndex).toBe(-1);
  });

  it('hides a column and remembers it', async () => {
    renderConsole(list);
    fireEvent.click(await screen.findByRole('button', { name: 'Columns' }));
    expect(await screen.findByText(/^The columns that fit are shown/)).toBeTruthy();
    fireEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Firmware' }));
    await waitFor(() => expect(screen.queryAllByRole('columnheader', { name: 'Firmware' })).toHaveLength(0));
    expect(localStorage.getItem('controllers.hiddenColumns')).toBe('firmware_version');
    expect(screen.getByText(/the table scrolls sideways/)).toBeTruthy();
  });

  it('the table has room for all columns that were chosen, and before for those that fit', async () => {
    renderConsole(list);
    const table = await screen.findByRole('table', { name: 'Controllers' });
    expect([table.hasAttribute('data-fits'), table.style.minWidth]).toEqual([true, '']);
    cleanup();
    localStorage.setItem('controllers.hiddenColumns', 'model,last_seen_at');
    renderConsole(list);
    const chosen = await screen.findByRole('table', { name: 'Controllers' });
    expect(chosen.hasAttribute('data-fits')).toBe(false);
    // 142 + 134 + 104 + 92 + 124 + 136 of the columns, 2 × 180 of description and group, 116 of boxes and buttons.
    expect(chosen.style.minWidth).toBe('1208px');
  });

  it('groups that are folded leave their room to the list, and come back', async () => {
    showWideScreen();
    renderConsole(list);
    fireEvent.click(await screen.findByRole('button', { name: 'Hide groups' }));
    expect(screen.queryByRole('tree')).toBeNull();
    expect(localStorage.getItem('groups.folded')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Show groups beside the list' }));
    expect(await screen.findByRole('tree')).toBeTruthy();
  });
});
