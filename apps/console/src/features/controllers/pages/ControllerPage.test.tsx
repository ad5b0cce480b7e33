import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { asRole, makeController, organization, pageOf, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const list = `/organizations/${organization.id}/controllers`;
const view = `${list}/A1B2C3D4`;
const settings = `${view}?tab=settings`;
const asViewer = asRole('viewer');

const editButton = () => screen.findByRole('button', { name: /^Edit description/ });

describe('the controller view', () => {
  it.each([
    ['en', 'Offline since 20 Nov 2024'],
    ['ru', 'Не в сети с 20 ноября 2024'],
  ] as const)('says since when the controller is offline (%s)', async (locale, text) => {
    const controller = makeController({ status: 'offline', statusSince: '2024-11-20T12:40:00Z' });
    renderConsole(view, { locale, answers: { getController: () => controller } });
    expect(await screen.findByText((content) => content.startsWith(text))).toBeTruthy();
  });

  it.each([
    [view, 'This controller has no values and no figures'],
    [`${view}?tab=data`, 'This controller has no values and no figures'],
    [`${view}?tab=diagnostics`, 'This controller has no diagnostics'],
  ])('a controller by SSH says in words what it cannot give (%s)', async (address, text) => {
    renderConsole(address, {
      answers: {
        getController: () => makeController({ connectionKind: 'ssh' }),
        listDiagnostics: () => [],
      },
    });
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText(/Connection: SSH\. It gives the web interface/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Request diagnostics' })).toBeNull();
  });

  it('a controller by SSH says that each web service needs a forward of its own', async () => {
    renderConsole(settings, {
      locale: 'ru',
      answers: { getController: () => makeController({ connectionKind: 'ssh' }) },
    });
    expect(await screen.findByText(/-R 1880:127\.0\.0\.1:1880/)).toBeTruthy();
  });

  it('leads on to the organization that the controller belongs to', async () => {
    const { address } = renderConsole(
      `/organizations/01890a5d-ac96-774b-bcce-b302099a8000/controllers/A1B2C3D4`,
    );
    await waitFor(() => expect(address()).toBe(view));
  });

  it('shows what the device says as plain text', async () => {
    renderConsole(view, {
      answers: { getController: () => makeController({ model: '<script>alert(1)</script>' }) },
    });
    expect(await screen.findByText('<script>alert(1)</script>')).toBeTruthy();
  });

  // spec: 7.18
  it('saves the description on Enter, at most 255 characters long', async () => {
    const { callsOf } = renderConsole(view, {
      answers: { updateController: ({ body }) => makeController(body as { description: string }) },
    });
    fireEvent.click(await editButton());
    const field = screen.getByRole('textbox', { name: 'Description' });
    expect(field.getAttribute('maxlength')).toBe('255');
    fireEvent.change(field, { target: { value: ' Насосная ' } });
    fireEvent.keyDown(field, { key: 'Enter' });
    expect(await screen.findByRole('button', { name: 'Edit description: Насосная' })).toBeTruthy();
    expect(callsOf('updateController').map(({ body }) => body)).toEqual([{ description: 'Насосная' }]);
  });

  it('keeps the old description on Esc', async () => {
    const { callsOf } = renderConsole(view);
    fireEvent.click(await editButton());
    const field = screen.getByRole('textbox', { name: 'Description' });
    fireEvent.change(field, { target: { value: 'Other' } });
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(await screen.findByRole('button', { name: 'Edit description: Boiler room' })).toBeTruthy();
    expect(callsOf('updateController')).toEqual([]);
  });

  // spec: 3.02
  it('saves coordinates together, and says what is wrong with them', async () => {
    const { callsOf } = renderConsole(settings, {
      answers: { updateController: ({ body }) => makeController(body as { latitude: number }) },
    });
    fireEvent.change(await screen.findByRole('textbox', { name: 'Latitude' }), { target: { value: '91' } });
    expect(await screen.findByText('Latitude is from −90 to 90')).toBeTruthy();
    fireEvent.change(screen.getByRole('textbox', { name: 'Latitude' }), { target: { value: '55.75' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Give both latitude and longitude')).toBeTruthy();
    fireEvent.change(screen.getByRole('textbox', { name: 'Longitude' }), { target: { value: '37.61' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Coordinates saved')).toBeTruthy();
    expect(callsOf('updateController').map(({ body }) => body)).toEqual([
      { latitude: 55.75, longitude: 37.61 },
    ]);
  });

  it('reads coordinates as maps give them, pasted or typed into one field, and says what are none', async () => {
    const { callsOf } = renderConsole(settings, {
      answers: { updateController: ({ body }) => makeController(body as { latitude: number }) },
      locale: 'ru',
    });
    const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
    await screen.findByRole('textbox', { name: 'Широта' });
    fireEvent.paste(field('Долгота'), { clipboardData: { getData: () => '55°45′21″N 37°37′03″E' } });
    expect([field('Широта').value, field('Долгота').value]).toEqual(['55,755833', '37,6175']);
    fireEvent.change(field('Широта'), { target: { value: 'у котельной' } });
    fireEvent.blur(field('Широта'));
    expect(await screen.findByText(/^Нужны градусы/)).toBeTruthy();
    expect(field('Широта').value).toBe('у котельной');
    fireEvent.change(field('Широта'), { target: { value: '\u221233,9; 151,2' } });
    fireEvent.click(screen.getByRole('button', { name: 'Сохранить' }));
    expect(await screen.findByText('Координаты сохранены')).toBeTruthy();
    expect(callsOf('updateController').map(({ body }) => body)).toEqual([
      { latitude: -33.9, longitude: 151.2 },
    ]);
    expect(field('Широта').value).toBe('-33,9');
  });

  it('keeps coordinates that are not saved yet through a look at another tab, for this controller alone', async () => {
    const { router } = renderConsole(settings, {
      answers: {
        getController: ({ params }) => makeController({ serialNumber: String(params.serialNumber) }),
      },
    });
    const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name });
    fireEvent.change(await field('Latitude'), { target: { value: '55.5' } });
    fireEvent.click(screen.getByRole('tab', { name: 'Overview' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Latitude' })).toBeNull());
    fireEvent.click(screen.getByRole('tab', { name: 'Settings' }));
    expect((await field('Latitude')).value).toBe('55.5');

    const show = (serialNumber: string) =>
      act(() => router.navigate({ to: `${list}/${serialNumber}`, search: { tab: 'settings' } }));
    await show('E5F6G7H8');
    await screen.findByRole('heading', { name: 'E5F6G7H8' });
    expect((await field('Latitude')).value).toBe('');
    // Both are in the cache now: nothing is unmounted by a page that still loads.
    fireEvent.change(await field('Latitude'), { target: { value: '10' } });
    await show('A1B2C3D4');
    await screen.findByRole('heading', { name: 'A1B2C3D4' });
    expect((await field('Latitude')).value).toBe('');
  });

  // spec: 7.19
  it('deletes only when the serial number is typed, and goes to the list', async () => {
    const { callsOf, address } = renderConsole(settings, { answers: { deleteController: () => undefined } });
    fireEvent.click(await screen.findByRole('button', { name: 'Delete controller' }));
    const confirm = await screen.findByRole('button', { name: 'Delete' });
    expect(confirm).toHaveProperty('disabled', true);
    fireEvent.change(screen.getByRole('textbox', { name: /To confirm/ }), { target: { value: 'A1B2C3D4' } });
    fireEvent.click(confirm);
    expect(await screen.findByText('Controller A1B2C3D4 deleted')).toBeTruthy();
    await waitFor(() => expect(address()).toBe(list));
    expect(callsOf('deleteController')).toHaveLength(1);
    expect(screen.queryAllByText(/does not exist/)).toHaveLength(0);
  });

  it('lets a viewer change, connect and delete nothing', async () => {
    const { callsOf } = renderConsole(settings, { answers: asViewer });
    for (const name of [/^Edit description/, 'Save', 'Delete controller']) {
      const button = await screen.findByRole('button', { name });
      expect(button.getAttribute('aria-disabled')).toBe('true');
      fireEvent.click(button);
    }
    fireEvent.click(screen.getByRole('tab', { name: 'Overview' }));
    for (const name of ['Web interface', 'SSH terminal']) {
      expect((await screen.findByRole('link', { name })).getAttribute('aria-disabled')).toBe('true');
    }
    expect(screen.queryAllByRole('dialog')).toHaveLength(0);
    expect(callsOf('updateController')).toEqual([]);
  });

  it.each([
    ['member', 'true'],
    ['admin', null],
    ['owner', null],
  ] as const)(
    'the deletion of a controller is offered to the role %s as decided',
    async (userRole, disabled) => {
      renderConsole(settings, { answers: asRole(userRole) });
      const button = await screen.findByRole('button', { name: 'Delete controller' });
      await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe(disabled));
    },
  );

  it.each([
    ['a viewer of the organization who is its admin', { userRole: 'viewer' }, 'admin', null],
    ['an admin of another part', { userRole: 'admin', isPartial: true }, 'viewer', 'true'],
  ] as const)(
    'what is offered at a controller goes by the role there: %s',
    async (_, own, userRole, disabled) => {
      const getOrganization = () => ({ ...organization, ...own });
      const getController = () => makeController({ userRole });
      const { unmount } = renderConsole(view, { answers: { getOrganization, getController } });
      const isDisabled = (element: HTMLElement) => element.getAttribute('aria-disabled');
      expect(isDisabled(await editButton())).toBe(disabled);
      expect(isDisabled(await screen.findByRole('link', { name: 'SSH terminal' }))).toBe(disabled);
      unmount();
      renderConsole(settings, { answers: { getOrganization, getController } });
      for (const name of ['Delete controller', 'Put into a group…', 'Add service']) {
        expect(isDisabled(await screen.findByRole('button', { name }))).toBe(disabled);
      }
    },
  );

  // spec: 7.41
  it('the way to the measurements of a controller names it in the variable that Grafana reads', async () => {
    renderConsole(view);
    const wanted = `/organizations/${organization.id}/monitoring/open?var-controller=A1B2C3D4`;
    await waitFor(() =>
      expect(
        screen.getAllByRole('link', { name: 'Monitoring' }).map((link) => link.getAttribute('href')),
      ).toContain(wanted),
    );
  });

  it('spec 8: tells once that the controller does not exist, and goes to the list', async () => {
    const { address } = renderConsole(view, {
      answers: { getController: () => refuse(404, 'controller_not_found'), listControllers: () => pageOf() },
    });
    await waitFor(() => expect(address()).toBe(list));
    expect(await screen.findAllByText('Controller A1B2C3D4 does not exist')).toHaveLength(1);
  });

  it('notices that somebody else has deleted the controller', async () => {
    let isDeleted = false;
    const { address, queryClient } = renderConsole(view, {
      answers: {
        getController: () => (isDeleted ? refuse(404, 'controller_not_found') : makeController()),
        countControllers: () => ({
          count: isDeleted ? 4 : 5,
          countOnline: 4,
          countOffline: isDeleted ? 0 : 1,
          countNever: 0,
        }),
      },
    });
    await editButton();
    isDeleted = true;
    await queryClient.invalidateQueries({ queryKey: ['controllers', 'count'] });
    await waitFor(() => expect(address()).toBe(list));
    expect(await screen.findAllByText('Controller A1B2C3D4 does not exist')).toHaveLength(1);
  });
});

describe('an address without the organization', () => {
  it('spec 2: leads to the controller view, the serial number in capitals', async () => {
    const { address, callsOf } = renderConsole('/controllers/a1b2c3d4');
    await waitFor(() => expect(address()).toBe(view));
    expect(callsOf('getController')[0]?.params.serialNumber).toBe('A1B2C3D4');
  });

  // spec: 8.03
  it('spec 8: tells in Russian that there is no such controller', async () => {
    renderConsole('/controllers/NOSUCH', {
      locale: 'ru',
      answers: { getController: () => refuse(404, 'controller_not_found') },
    });
    expect(await screen.findAllByText('Контроллер NOSUCH не существует')).toHaveLength(1);
  });
});
