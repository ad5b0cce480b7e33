import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, type Mock, onTestFinished, vi } from 'vitest';
import { asRole, makeController, organization, refuse } from '../../testing/fake-api.ts';
import { renderConsole } from '../../testing/render-console.tsx';
import { deepLink } from '../use-http-tunnel.ts';

/** What the server says of who has asked for the page. */
function arrive(arrival: 'own' | 'linked'): void {
  document.head.querySelector('meta[name="pult:arrival"]')?.remove();
  const meta = document.createElement('meta');
  meta.name = 'pult:arrival';
  meta.content = arrival;
  document.head.append(meta);
}

/** Where the page leads the browser. */
let leaveFor: Mock<Location['replace']>;
beforeEach(() => {
  leaveFor = vi.spyOn(window.location, 'replace').mockReturnValue();
  arrive('own');
});

const tunnel = {
  id: organization.id,
  protocol: 'http',
  createdAt: '2025-11-20T10:00:00Z',
  expiresAt: '2025-11-20T22:00:00Z',
};
const opened = { tunnel, tunnelRedirectUrl: 'http://a1b2c3d4.http.localhost/?ticket=t', tunnelKey: 't' };
const offline = makeController({ status: 'offline' });

describe('/connect/http', () => {
  it('spec 5: opens the tunnel of the serial number in capitals and goes there', async () => {
    const { callsOf } = renderConsole('/connect/http/a1b2c3d4/', { answers: { openTunnel: () => opened } });
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(opened.tunnelRedirectUrl));
    expect(callsOf('openTunnel')[0]?.params).toEqual({ serialNumber: 'A1B2C3D4', protocol: 'http' });
    expect(callsOf('openTunnel')[0]?.body).toBeUndefined();
  });

  it('comes back to the path of a deep link', async () => {
    const { callsOf } = renderConsole('/connect/http/A1B2C3D4/?path=%2Fdash%3Ftab%3D1', {
      answers: { openTunnel: () => opened },
    });
    await waitFor(() => expect(callsOf('openTunnel')[0]?.body).toEqual({ path: '/dash?tab=1' }));
  });

  it.each([
    ['Open this page', { path: '/relay?on' }],
    ['Open the start page', undefined],
  ])('asks for a click where a page elsewhere may have chosen the path: %s', async (name, body) => {
    arrive('linked');
    const { callsOf } = renderConsole('/connect/http/A1B2C3D4/?path=%2Frelay%3Fon', {
      answers: { openTunnel: () => opened },
    });
    expect(await screen.findByText('/relay?on')).toBeTruthy();
    expect(callsOf('openTunnel')).toEqual([]);
    const back = screen.getByRole('link', { name: 'To the controller' });
    expect(back.getAttribute('href')).toBe('/controllers/A1B2C3D4');
    fireEvent.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(opened.tunnelRedirectUrl));
    expect(callsOf('openTunnel').map((call) => call.body)).toEqual([body]);
  });

  it('asks for a click where the page with a path was loaded anew, whoever has chosen that', async () => {
    arrive('own');
    Object.defineProperty(performance, 'getEntriesByType', {
      configurable: true,
      value: () => [{ type: 'reload' }],
    });
    onTestFinished(() => void Reflect.deleteProperty(performance, 'getEntriesByType'));
    const { callsOf } = renderConsole('/connect/http/A1B2C3D4/?path=%2Frelay%3Fon');
    expect(await screen.findByText('/relay?on')).toBeTruthy();
    expect(callsOf('openTunnel')).toEqual([]);
  });

  it('asks for no click where a link elsewhere leads to the start page', async () => {
    arrive('linked');
    renderConsole('/connect/http/A1B2C3D4/', { answers: { openTunnel: () => opened } });
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(opened.tunnelRedirectUrl));
  });

  it('opens the endpoint on the port that the address names, at its path', async () => {
    const { callsOf } = renderConsole('/connect/http/a1b2c3d4/?port=1880&path=%2Fflows', {
      answers: { openTunnel: () => opened },
    });
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(opened.tunnelRedirectUrl));
    expect(callsOf('openTunnel')[0]).toMatchObject({
      params: { serialNumber: 'A1B2C3D4', protocol: '1880' },
      body: { path: '/flows' },
    });
  });

  it('says that there is no endpoint on that port, and does not try again by itself', async () => {
    renderConsole('/connect/http/A1B2C3D4/?port=1880', {
      answers: { openTunnel: () => refuse(400, 'protocol_unsupported') },
    });
    expect(await screen.findByText('The controller has no such service')).toBeTruthy();
    expect(screen.queryAllByText(/Next try/)).toHaveLength(0);
  });

  // spec: 8.02
  it('says that a port is reserved, stays there, and does not try again by itself', async () => {
    const { router } = renderConsole('/connect/http/A1B2C3D4/?port=1883', {
      answers: { openTunnel: () => refuse(403, 'port_reserved', 'Port 1883 is reserved.') },
    });
    expect(await screen.findByText('Port 1883 is reserved.')).toBeTruthy();
    expect(screen.queryAllByText(/Next try/)).toHaveLength(0);
    expect(router.state.location.pathname).toBe('/connect/http/A1B2C3D4/');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'dash'])(
    'takes %s for no path',
    (path) => {
      expect(deepLink(path)).toBeUndefined();
    },
  );

  it('says that the controller is offline, since when, and when it tries again', async () => {
    const { callsOf } = renderConsole('/connect/http/A1B2C3D4/', {
      locale: 'ru',
      answers: { getController: () => offline },
    });
    expect(await screen.findByText('Не в сети')).toBeTruthy();
    expect(screen.getByText(/Последний раз на связи/)).toBeTruthy();
    expect(await screen.findByText(/Следующая попытка через \d+ с/)).toBeTruthy();
    expect(callsOf('openTunnel')).toEqual([]);
  });

  it('goes on at once when the controller comes online', async () => {
    let controller = offline;
    const { emit } = renderConsole('/connect/http/A1B2C3D4/', {
      answers: { getController: () => controller, openTunnel: () => opened },
    });
    await screen.findByText(/Next try in/);
    controller = makeController();
    await emit({
      type: 'controller.status',
      serialNumber: 'A1B2C3D4',
      status: 'online',
      statusReason: 'link',
      statusSince: '2025-11-20T10:00:00Z',
      lastSeenAt: '2025-11-20T10:00:00Z',
    });
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(opened.tunnelRedirectUrl));
  });

  it('tries again when told to', async () => {
    let controller = offline;
    renderConsole('/connect/http/A1B2C3D4/', {
      answers: { getController: () => controller, openTunnel: () => opened },
    });
    await screen.findByText(/Next try in/);
    controller = makeController();
    fireEvent.click(screen.getByRole('button', { name: 'Try now' }));
    await waitFor(() => expect(leaveFor).toHaveBeenCalled());
  });

  it('/connect/http does not ask for a tunnel that the role forbids', async () => {
    const { callsOf } = renderConsole('/connect/http/A1B2C3D4/', { answers: asRole('viewer') });
    expect(await screen.findByText(/takes the member role/)).toBeTruthy();
    expect(callsOf('openTunnel')).toEqual([]);
  });

  it('says what to configure where no subdomain can be, and waits for the user', async () => {
    const detail = 'Web interfaces of controllers open on subdomains, and 10.0.0.1 cannot have any.';
    renderConsole('/connect/http/A1B2C3D4/', {
      answers: { openTunnel: () => refuse(409, 'tunnel_host_unavailable', detail) },
    });
    expect(await screen.findByText('The server is not set up for web interfaces')).toBeTruthy();
    expect(
      (await screen.findAllByText((text) => text.startsWith(detail.slice(0, -1)))).length,
    ).toBeGreaterThan(0);
    expect(screen.queryAllByText(/Next try/)).toHaveLength(0);
    expect(screen.getByRole('button', { name: 'Try now' })).toBeTruthy();
  });

  it.each(['/connect/http/NOSUCH/', '/connect/http/NOSUCH/?port=1880', '/connect/ssh/NOSUCH/'])(
    'says that there is no such controller, offers nothing to open there and leads away: %s',
    async (path) => {
      const { callsOf } = renderConsole(path, {
        answers: { getController: () => refuse(404, 'controller_not_found') },
      });
      expect(await screen.findByText('There is no such controller')).toBeTruthy();
      expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('NOSUCH');
      expect(screen.getByRole('link', { name: 'To the organizations' }).getAttribute('href')).toBe(
        '/organizations',
      );
      expect(screen.queryAllByRole('button', { name: /^(Connect|Try now)$/ })).toEqual([]);
      expect(await screen.findAllByText('Controller NOSUCH does not exist')).toHaveLength(1);
      expect(callsOf('openTunnel')).toEqual([]);
    },
  );
});
