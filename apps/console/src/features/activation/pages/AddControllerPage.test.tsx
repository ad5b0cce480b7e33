import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { makeController, organization, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { keepToken } from '../activation-token.ts';

beforeEach(() => keepToken(''));

const valid = { validateActivation: () => ({ controllerSerialNumber: 'A1B2C3D4' }) };
const tokenField = () => screen.findByRole('textbox', { name: 'Activation token' });
const addButton = () => screen.findByRole('button', { name: 'Add controller' });

async function whenReady() {
  await screen.findByText('A1B2C3D4');
  const button = await addButton();
  await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull());
  return button;
}

describe('adding a controller', () => {
  it('takes the token out of the address bar and says whose it is', async () => {
    const { address, callsOf } = renderConsole('/controllers?token=7WC5YJ', { answers: valid });
    expect(await screen.findByText('A1B2C3D4')).toBeTruthy();
    expect(address()).toBe('/controllers');
    expect(await tokenField()).toHaveProperty('value', '7WC5YJ');
    expect(callsOf('validateActivation').map(({ body }) => body)).toEqual([{ token: '7WC5YJ' }]);
  });

  it('keeps the token over a reload', async () => {
    renderConsole('/controllers?token=7WC5YJ', { answers: valid });
    await screen.findByText('A1B2C3D4');
    cleanup();
    renderConsole('/controllers', { answers: valid });
    expect(await tokenField()).toHaveProperty('value', '7WC5YJ');
  });

  it('keeps the token over the way to the login and back', async () => {
    const { address } = renderConsole('/controllers?token=7WC5YJ', {
      isAuthorized: false,
      answers: { ...valid, login: () => ({ access: 'token' }) },
    });
    fireEvent.change(await screen.findByLabelText(/Email/), { target: { value: 'a@example.com' } });
    fireEvent.change(screen.getByLabelText(/^Password/), { target: { value: 'secret-word' } });
    fireEvent.click(screen.getByRole('button', { name: /Log in/ }));
    expect(await screen.findByText('A1B2C3D4')).toBeTruthy();
    expect(address()).toBe('/controllers');
  });

  // spec: 8.07
  it('spec 8: a token that fails its check is told in the field and by no toast', async () => {
    renderConsole('/controllers', {
      answers: { validateActivation: () => refuse(400, 'activation_token_invalid') },
    });
    fireEvent.change(await tokenField(), { target: { value: 'WRONG' } });
    expect(await screen.findByText(/The token is wrong, expired or already used/)).toBeTruthy();
    expect(screen.queryAllByRole('alert')).toHaveLength(0);
  });

  it('takes the token from a pasted link, and asks once after the last key', async () => {
    const { callsOf } = renderConsole('/controllers', { answers: valid });
    const field = await tokenField();
    fireEvent.change(field, { target: { value: '7' } });
    fireEvent.change(field, { target: { value: 'http://localhost:8080/controllers?token=7WC5YJ' } });
    expect(await screen.findByText('A1B2C3D4')).toBeTruthy();
    expect(callsOf('validateActivation').map(({ body }) => body)).toEqual([{ token: '7WC5YJ' }]);
  });

  // spec: 4.05
  it('spec 4: a token is validated before it activates, also when it is changed', async () => {
    const { calls } = renderConsole('/controllers?token=7WC5YJ', {
      answers: { ...valid, activateController: () => makeController() },
    });
    await whenReady();
    fireEvent.change(await tokenField(), { target: { value: '8XD6ZK' } });
    const button = await addButton();
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'));
    fireEvent.click(await whenReady());
    await screen.findByText('Controller A1B2C3D4 added');
    const tokens = calls
      .filter(({ name }) => name === 'validateActivation' || name === 'activateController')
      .map(({ name, body }) => `${name} ${Object(body).token}`);
    expect(tokens).toEqual([
      'validateActivation 7WC5YJ',
      'validateActivation 8XD6ZK',
      'activateController 8XD6ZK',
    ]);
  });

  // spec: 4.05
  it('claims the controller with its description and opens it', async () => {
    const { callsOf, address } = renderConsole('/controllers?token=7WC5YJ', {
      answers: {
        ...valid,
        activateController: () => makeController({ description: '' }),
        updateController: ({ body }) => makeController(body as { description: string }),
      },
    });
    fireEvent.change(await screen.findByRole('textbox', { name: 'Description' }), {
      target: { value: 'Котельная' },
    });
    fireEvent.click(await whenReady());
    expect(await screen.findByText('Controller A1B2C3D4 added')).toBeTruthy();
    await waitFor(() => expect(address()).toBe(`/organizations/${organization.id}/controllers/A1B2C3D4`));
    expect(callsOf('activateController').map(({ body }) => body)).toEqual([
      { token: '7WC5YJ', organization: organization.id },
    ]);
    expect(callsOf('updateController').map(({ body }) => body)).toEqual([{ description: 'Котельная' }]);
    expect(sessionStorage.length).toBe(0);
  });

  it('the form has the current organization chosen, offers its groups, and leads to the next controller', async () => {
    const stands = { ...organization, id: '01890a5d-ac96-774b-bcce-b302099a8098', name: 'Aurora Facilities' };
    const group = { id: '01890a5d-ac96-774b-bcce-b302099a8060', name: 'Boilers', parent: null, level: 0 };
    localStorage.setItem('lastOrganization', stands.id);
    const { callsOf, address } = renderConsole('/controllers?token=7WC5YJ', {
      answers: {
        ...valid,
        listOrganizations: () => [organization, stands],
        getOrganization: () => stands,
        listGroups: () => [{ ...group, organization: { id: stands.id }, controllersCount: 0, subgroups: [] }],
        activateController: () => makeController(),
      },
    });
    expect(await screen.findByRole('combobox', { name: 'Organization' })).toHaveProperty(
      'value',
      stands.name,
    );
    fireEvent.click(await screen.findByRole('combobox', { name: 'Group' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Boilers', hidden: true }));
    fireEvent.click(await whenReady());
    await screen.findByText('Controller A1B2C3D4 added');
    expect(callsOf('activateController').map(({ body }) => body)).toEqual([
      { token: '7WC5YJ', organization: stands.id, group: group.id },
    ]);
    await waitFor(() => expect(address()).toContain('/controllers/A1B2C3D4'));
    fireEvent.click(screen.getByRole('button', { name: 'Add another' }));
    await waitFor(() => expect(address()).toBe('/controllers'));
    expect(await tokenField()).toHaveProperty('value', '');
  });

  it('the form chooses no organization in which one may add nothing', async () => {
    const other = { ...organization, id: '01890a5d-ac96-774b-bcce-b302099a8098', userRole: 'viewer' };
    const third = { ...organization, id: '01890a5d-ac96-774b-bcce-b302099a8097', name: 'Third' };
    localStorage.setItem('lastOrganization', other.id);
    renderConsole('/controllers', { answers: { listOrganizations: () => [organization, other, third] } });
    expect(await screen.findByRole('combobox', { name: 'Organization' })).toHaveProperty('value', '');
  });

  it('says in a toast alone why the controller was not added', async () => {
    renderConsole('/controllers?token=7WC5YJ', {
      answers: {
        ...valid,
        activateController: () => refuse(409, 'controllers_limit_reached', 'License limit.'),
      },
    });
    fireEvent.click(await whenReady());
    expect(await screen.findAllByText(/License limit/)).toHaveLength(1);
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });

  it('makes an organization on the way', async () => {
    const made = { ...organization, id: '01890a5d-ac96-774b-bcce-b302099a8099', name: 'New Works' };
    const organizations: unknown[] = [];
    const { callsOf } = renderConsole('/controllers?token=7WC5YJ', {
      answers: {
        ...valid,
        listOrganizations: () => [...organizations],
        createOrganization: () => {
          organizations.push(made);
          return made;
        },
        activateController: () => makeController(),
      },
    });
    fireEvent.change(await screen.findByRole('textbox', { name: 'Name of the new organization' }), {
      target: { value: 'New Works' },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Create' }));
    fireEvent.click(await whenReady());
    await waitFor(() =>
      expect(callsOf('activateController').map(({ body }) => body)).toEqual([
        { token: '7WC5YJ', organization: made.id },
      ]),
    );
  });

  it('offers no organization in which the role is too weak', async () => {
    renderConsole('/controllers?token=7WC5YJ', {
      answers: { ...valid, listOrganizations: () => [{ ...organization, userRole: 'viewer' }] },
    });
    await screen.findByText('A1B2C3D4');
    expect((await addButton()).getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(screen.getByRole('combobox', { name: 'Organization' }));
    const option = await screen.findByRole('option', { name: /needs the member role/, hidden: true });
    expect(option.hasAttribute('data-combobox-disabled')).toBe(true);
  });

  it('says that other devices do not find localhost, and what to do in the local network', async () => {
    const { port } = window.location;
    const lan = `http://192.168.1.5${port && `:${port}`}`;
    const ownPort = port ? `PORT=${port} ` : '';
    renderConsole('/controllers', { answers: { listLanAddresses: () => ({ addresses: ['192.168.1.5'] }) } });
    expect(await screen.findByText(/^Other devices do not find the server at localhost/)).toBeTruthy();
    expect(await screen.findByText(`${ownPort}HOST=0.0.0.0 PUBLIC_URL=${lan} npm start`)).toBeTruthy();
    expect(screen.getByText(`curl -fsSL ${lan}/agent/install.sh | sudo sh`)).toBeTruthy();
  });

  it('asks for no addresses where the server has one of its own', async () => {
    vi.spyOn(window.location, 'hostname', 'get').mockReturnValue('pult.example');
    const { callsOf } = renderConsole('/controllers');
    expect(await screen.findByText(/^Install the agent on the device/)).toBeTruthy();
    expect(screen.queryByText(/Other devices do not find/)).toBeNull();
    expect(callsOf('listLanAddresses')).toEqual([]);
  });

  it('shows how the agent is installed', async () => {
    renderConsole('/controllers', { locale: 'ru' });
    const command = `curl -fsSL ${window.location.origin}/agent/install.sh | sudo sh`;
    expect(await screen.findByText(command)).toBeTruthy();
    const file = screen.getByRole('link', { name: 'pult-agent.mjs' });
    expect(file.getAttribute('href')).toBe('/agent/pult-agent.mjs');
  });

  it('leads to the keys for many devices, for those who may make them', async () => {
    renderConsole('/controllers');
    const link = await screen.findByRole('link', { name: 'Enrolment keys' });
    expect(link.getAttribute('href')).toBe(`/organizations/${organization.id}/settings/enrolment-keys`);
    cleanup();
    const other = { ...organization, id: '01890a5d-ac96-774b-bcce-b302099a8098', name: 'Pumps' };
    const member = {
      ...other,
      id: '01890a5d-ac96-774b-bcce-b302099a8097',
      name: 'Elsewhere',
      userRole: 'member',
    };
    const id = '01890a5d-ac96-774b-bcce-b302099a8096';
    const part = { ...other, id, name: 'Of a part', userRole: 'admin', isPartial: true };
    renderConsole('/controllers', {
      answers: { listOrganizations: () => [organization, other, member, part] },
    });
    expect(await screen.findByRole('link', { name: 'Pumps' })).toBeTruthy();
    const text = screen.getByText(/^Many devices/).textContent;
    expect(text).toContain(`${organization.name}, Pumps`);
    expect(text).not.toContain('Elsewhere');
    expect(text).not.toContain('Of a part');
  });

  it('shows how a device that has nothing but an SSH client is connected, and what that gives', async () => {
    const jump = { host: 'cloud.example.com', port: 2222, hostKeyFingerprint: 'SHA256:x' };
    renderConsole('/controllers', {
      answers: { getEnvironments: () => ({ SSH_JUMP: jump }) },
    });
    fireEvent.click(await screen.findByRole('tab', { name: 'SSH' }));
    expect(await screen.findByText(/no values, figures or diagnostics/)).toBeTruthy();
    expect(
      screen.getByText(`curl -fsSL ${window.location.origin}/agent/ssh-install.sh | sudo sh`),
    ).toBeTruthy();
    expect(screen.getByText(/^ssh -N -R pult-http:80:.* device@cloud\.example\.com$/)).toBeTruthy();
    const steps = () => within(screen.getByRole('tabpanel')).getAllByRole('listitem');
    expect(steps()).toHaveLength(2);
    fireEvent.click(screen.getByRole('radio', { name: 'OpenWrt' }));
    screen.getByText(`wget -qO- ${window.location.origin}/agent/ssh-install.sh | sh`);
    expect(screen.queryByText(/ssh-install\.sh \| sudo sh$/)).toBeNull();
    expect(steps()).toHaveLength(2);
  });

  it('shows how a Wiren Board controller is moved over, by agents of all ages, and what that gives', async () => {
    const serverUrl = 'https://cloud.example.com';
    const agentUrl = 'https://agent.cloud.example.com/api-agent/v1/';
    const tunnel = { host: 'tunnel.cloud.example.com', port: 7107 };
    renderConsole('/controllers', {
      answers: {
        getEnvironments: () => ({ WIREN_BOARD: { serverUrl, agentUrl, tunnel }, WIREN_BOARD_OFF: null }),
      },
    });
    expect(await screen.findByText(/diagnostics, values and figures, for Wiren Board/)).toBeTruthy();
    expect(screen.getByText(`wb-cloud-agent use-on-premise ${serverUrl}`)).toBeTruthy();
    expect(screen.getByText(`wb-cloud-agent add-provider ${serverUrl}`)).toBeTruthy();
    expect(screen.getByText(`wb-cloud-agent add-provider pult ${serverUrl} ${agentUrl}`)).toBeTruthy();
    expect(screen.getByText(/agent\.cloud\.example\.com and tunnel\.cloud\.example\.com:7107/)).toBeTruthy();
  });

  it.each([
    ['en', /no name in DNS, its address is localhost/, /Set PUBLIC_URL to a name with https/],
    ['ru', /нет имени в DNS, его адрес — localhost/, /Задайте в PUBLIC_URL имя и https/],
  ] as const)(
    'says first why the server takes no Wiren Board controllers, what to do about it, and the way that works meanwhile (%s)',
    async (locale, reason, action) => {
      renderConsole('/controllers', { locale });
      const tabs = await screen.findAllByRole('tab');
      expect(tabs[0]?.textContent).toBe('Wiren Board');
      expect(tabs[0]?.getAttribute('aria-selected')).toBe('true');
      expect(await screen.findByText(reason)).toBeTruthy();
      expect(screen.getByText(action)).toBeTruthy();
      expect(
        screen.getByText(`curl -fsSL ${window.location.origin}/agent/install.sh | sudo sh`),
      ).toBeTruthy();
      expect(screen.queryByText(/wb-cloud-agent use-on-premise/)).toBeNull();
    },
  );

  it('shows the way of a Wiren Board controller as soon as the server has taken them up', async () => {
    const agentUrl = 'https://agent.cloud.example.com/api-agent/v1/';
    const tunnel = { host: 'tunnel.cloud.example.com', port: 7107 };
    let WIREN_BOARD: object | null = null;
    renderConsole('/controllers', {
      answers: {
        getEnvironments: () => ({
          WIREN_BOARD,
          WIREN_BOARD_OFF: WIREN_BOARD ? null : { reason: 'names', names: ['agent.x'], port: 7107 },
        }),
      },
    });
    await screen.findByText(/do not lead to it: agent\.x/);
    WIREN_BOARD = { serverUrl: 'https://cloud.example.com', agentUrl, tunnel };
    fireEvent.click(screen.getByRole('tab', { name: 'SSH' }));
    fireEvent.click(screen.getByRole('tab', { name: 'Wiren Board' }));
    expect(await screen.findByText('wb-cloud-agent use-on-premise https://cloud.example.com')).toBeTruthy();
  });

  it('says where the server has no SSH port', async () => {
    renderConsole('/controllers', { locale: 'ru' });
    fireEvent.click(await screen.findByRole('tab', { name: 'SSH' }));
    expect(await screen.findByText(/порт SSH выключен/)).toBeTruthy();
  });
});
