import type { NamedEndpoint } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  asRole,
  makeController,
  makeService,
  organization,
  refuse,
  refuseFields,
} from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';

const page = `/organizations/${organization.id}/controllers/A1B2C3D4`;
const settings = `${page}?tab=settings`;
const nodeRed = makeService({ port: 1880, name: 'Node-RED' });
const cockpit = makeService({ port: 9090, name: 'Cockpit', scheme: 'https' });
const broker = makeService({ port: 1883, name: 'Broker', isReserved: true });

describe('the named endpoints of a controller', () => {
  it('open from the overview, each in a tab of its own', async () => {
    renderConsole(page, { answers: { listServices: () => [cockpit, nodeRed] } });
    const link = await screen.findByRole('link', { name: 'Node-RED' });
    expect(link.getAttribute('href')).toBe('/connect/http/A1B2C3D4/?port=1880');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(screen.getByRole('link', { name: 'Cockpit' })).toBeTruthy();
  });

  it('the named endpoints of a controller cannot be opened while the controller is offline', async () => {
    renderConsole(page, {
      answers: {
        getController: () => makeController({ status: 'offline' }),
        listServices: () => [nodeRed],
      },
    });
    const button = await screen.findByText('Node-RED');
    expect(button.closest('[aria-disabled="true"], [data-disabled], :disabled')).toBeTruthy();
  });

  it('the named endpoints of a controller are added on the settings tab, once the fields hold what they must', async () => {
    let endpoints: NamedEndpoint[] = [];
    const { callsOf } = renderConsole(settings, {
      answers: {
        listServices: () => endpoints,
        createService: ({ body }) => {
          endpoints = [body as NamedEndpoint]; // as the form sends it
          return body;
        },
      },
    });
    expect(await screen.findByText('None added yet.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Add service' }));
    const dialog = await screen.findByRole('dialog', { name: 'New web service' });
    const inside = within(dialog);
    fireEvent.change(inside.getByLabelText('Port on the device'), { target: { value: '70000' } });
    fireEvent.click(inside.getByRole('button', { name: 'Add service' }));
    expect(await inside.findByText('Give a name')).toBeTruthy();
    expect(inside.getByText('A port is a whole number from 1 to 65535')).toBeTruthy();
    expect(callsOf('createService')).toEqual([]);

    fireEvent.change(inside.getByLabelText('Name'), { target: { value: 'Cockpit' } });
    fireEvent.change(inside.getByLabelText('Port on the device'), { target: { value: '9090' } });
    fireEvent.click(inside.getByLabelText('HTTPS'));
    fireEvent.click(inside.getByRole('button', { name: 'Add service' }));
    const list = await screen.findByRole('list', { name: 'Web services of the controller' });
    expect(within(list).getByText('port 9090, HTTPS')).toBeTruthy();
    expect(callsOf('createService')[0]?.body).toEqual({
      name: 'Cockpit',
      port: 9090,
      scheme: 'https',
      hostHeader: null,
    });
  });

  it.each([
    ['ru', 'Старый TLS: TLS 1.0, RSA 1024.'],
    ['en', 'Old TLS: TLS 1.0, RSA 1024.'],
  ] as const)('a named endpoint whose TLS is old is marked in %s', async (locale, text) => {
    const old = { ...cockpit, oldTls: 'TLS 1.0, RSA 1024' };
    renderConsole(settings, { locale, answers: { listServices: () => [old, nodeRed] } });
    expect(await screen.findAllByText(text, { exact: false })).toHaveLength(1);
  });

  it('the named endpoints of a controller are renamed and deleted', async () => {
    const { callsOf } = renderConsole(settings, {
      answers: {
        listServices: () => [nodeRed],
        updateService: () => ({ ...nodeRed, name: 'Flows' }),
        deleteService: () => undefined,
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit the service Node-RED' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Service on port 1880' }));
    fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'Flows' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(callsOf('updateService')[0]).toMatchObject({
        params: { serialNumber: 'A1B2C3D4', port: '1880' },
        body: { name: 'Flows', scheme: 'http', hostHeader: null },
      }),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Delete the service Node-RED' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete the service Node-RED?' }));
    fireEvent.click(question.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(callsOf('deleteService')[0]?.params).toMatchObject({ port: '1880' }));
  });

  it('the named endpoints of a controller that answer to a name of their own only are told it, and lose it when the field is emptied', async () => {
    const cups = makeService({ port: 631, name: 'CUPS', hostHeader: 'localhost:631' });
    let hasHost = true;
    const { callsOf } = renderConsole(settings, {
      answers: {
        listServices: () => [hasHost ? cups : { ...cups, hostHeader: null }],
        updateService: ({ body }) => {
          const { hostHeader } = body as Partial<NamedEndpoint>; // as the form sends it
          if (hostHeader === 'a b')
            return refuseFields({ hostHeader: ['Enter a name as in the address of a page.'] });
          hasHost = hostHeader !== null;
          return { ...cups, ...(body as object) };
        },
      },
    });
    expect(await screen.findByText('port 631, Host: localhost:631')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Edit the service CUPS' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Service on port 631' }));
    const field = dialog.getByLabelText<HTMLInputElement>('Host header');
    expect(field.value).toBe('localhost:631');
    fireEvent.change(field, { target: { value: 'a b' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText('Enter a name as in the address of a page.')).toBeTruthy();
    fireEvent.change(field, { target: { value: ' ' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('port 631')).toBeTruthy();
    expect(callsOf('updateService').map(({ body }) => body)).toMatchObject([
      { hostHeader: 'a b' },
      { hostHeader: null },
    ]);
  });

  it('the named endpoints of a controller that is gone meanwhile does not make its controller look gone', async () => {
    renderConsole(settings, {
      answers: {
        listServices: () => [nodeRed],
        deleteService: () => refuse(404, 'service_not_found', 'The controller has no such service.'),
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Delete the service Node-RED' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete the service Node-RED?' }));
    fireEvent.click(question.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('The controller has no such service')).toBeTruthy();
    expect(screen.queryByText(/Controller A1B2C3D4 does not exist/)).toBeNull();
  });

  it('the named endpoints of a controller cannot be changed by whoever may only look', async () => {
    renderConsole(settings, {
      answers: {
        ...asRole('viewer'),
        listServices: () => [nodeRed],
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Edit the service Node-RED' }));
    fireEvent.click(screen.getByRole('button', { name: 'Add service' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('a service on a reserved port is opened by admins and by nobody else', async () => {
    const isShut = async () =>
      (await screen.findByText('Broker')).closest('[aria-disabled="true"], [data-disabled]') !== null;
    const { unmount } = renderConsole(page, {
      answers: { ...asRole('member'), listServices: () => [broker] },
    });
    expect(await isShut()).toBe(true);
    unmount();
    renderConsole(page, { answers: { ...asRole('admin'), listServices: () => [broker] } });
    expect(await isShut()).toBe(false);
  });

  it('a service on a reserved port has a warning, and a member deletes it but does not change it', async () => {
    renderConsole(settings, { answers: { ...asRole('member'), listServices: () => [broker, nodeRed] } });
    expect(await screen.findAllByText(/Reserved port/)).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Edit the service Broker' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Delete the service Broker' }));
    expect(await screen.findByRole('dialog', { name: 'Delete the service Broker?' })).toBeTruthy();
  });

  // spec: 8.02
  it('the form says at its port that only admins name a reserved one', async () => {
    const { router } = renderConsole(settings, {
      answers: {
        ...asRole('member'),
        createService: () => refuse(403, 'port_reserved', 'Port 1883 is reserved.'),
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Add service' }));
    const inside = within(await screen.findByRole('dialog', { name: 'New web service' }));
    fireEvent.change(inside.getByLabelText('Name'), { target: { value: 'Broker' } });
    fireEvent.change(inside.getByLabelText('Port on the device'), { target: { value: '1883' } });
    fireEvent.click(inside.getByRole('button', { name: 'Add service' }));
    expect(await inside.findByText('Port 1883 is reserved.')).toBeTruthy();
    expect(router.state.location.pathname).toBe(page);
  });
});
