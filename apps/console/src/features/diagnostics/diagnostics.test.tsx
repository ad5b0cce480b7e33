import type { Diagnostic } from '@pult/contract';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type Answers, asRole, makeController, organization, refuse } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const tab = `/organizations/${organization.id}/controllers/A1B2C3D4?tab=diagnostics`;
const id = '01890a5d-ac96-774b-bcce-b302099a8059';

function makeDiagnostic(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    id,
    status: 'ready',
    reason: null,
    detail: null,
    progress: 1_234_567,
    size: 1_234_567,
    sha256: 'ab'.repeat(32),
    created: '2025-11-20T09:40:00Z',
    finished: '2025-11-20T09:41:00Z',
    requestedBy: { id: '01890a5d-ac96-774b-bcce-b302099a8060', email: 'anna@example.com' },
    ...changes,
  };
}
const underWay = (status: 'requested' | 'collecting', progress = 0) =>
  makeDiagnostic({ status, progress, size: null, sha256: null, finished: null });

/** What the server says of them, newest first. */
function answersOf(diagnostics: () => Diagnostic[]): Answers {
  return {
    listDiagnostics: diagnostics,
    getDiagnostic: () => {
      const [last] = diagnostics();
      const { status, id, created } = last ?? { status: 'not_requested', id: null, created: null };
      return { status, id, created };
    },
  };
}

/** The addresses that were handed to the browser's downloads. */
function followedDownloads(): string[] {
  const followed: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute('href') ?? '');
  });
  return followed;
}

const requestButton = (name = 'Request diagnostics') => screen.findByRole('button', { name });

describe('the diagnostics of a controller', () => {
  it.each([
    ['en', 'No diagnostics requested yet'],
    ['ru', 'Диагностику ещё не запрашивали'],
  ] as const)('say that there are none yet (%s)', async (locale, text) => {
    renderConsole(tab, { locale, answers: { listDiagnostics: () => [] } });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  // spec: 4.04
  it('spec 4: are requested, and then their status is shown as it changes', async () => {
    let diagnostics: Diagnostic[] = [];
    const { callsOf, emit } = renderConsole(tab, {
      answers: {
        ...answersOf(() => diagnostics),
        requestDiagnostic: () => {
          diagnostics = [underWay('requested')];
          return { status: 'requested', id, created: '2025-11-20T09:40:00Z' };
        },
      },
    });
    fireEvent.click(await requestButton());
    expect(await screen.findByText('Waiting for the controller to come online')).toBeTruthy();
    expect(callsOf('requestDiagnostic')).toHaveLength(1);
    const step = (status: Diagnostic['status'], progress: number) =>
      emit({ type: 'diagnostic.status', serialNumber: 'A1B2C3D4', id, status, progress });
    diagnostics = [underWay('collecting', 2_621_440)];
    step('collecting', 2_621_440);
    expect(await screen.findByText('The archive is arriving: 2.5 MB')).toBeTruthy();
    diagnostics = [makeDiagnostic()];
    step('ready', 1_234_567);
    const link = await screen.findByRole('link', { name: /^Download the archive of/ });
    expect(link.getAttribute('href')).toBe(`/api/v1/download/${id}`);
    expect(link.hasAttribute('download')).toBe(true);
    expect(screen.getByText('1.2 MB')).toBeTruthy();
    expect(screen.getByText('anna@example.com')).toBeTruthy();
  });

  it('the archive is left to the browser’s downloads, once the server gives it', async () => {
    const followed = followedDownloads();
    const answers = { listDiagnostics: () => [makeDiagnostic()], downloadDiagnostic: () => 'archive' };
    const { callsOf } = renderConsole(tab, { answers });
    fireEvent.click(await screen.findByRole('link', { name: /^Download the archive of/ }));
    await waitFor(() => expect(followed).toEqual([`/api/v1/download/${id}`]));
    expect(callsOf('downloadDiagnostic')).toHaveLength(1);
  });

  // spec: 8.01
  it('spec 8: a download with a dead session leads to the login, and is none', async () => {
    const followed = followedDownloads();
    const { address } = renderConsole(tab, {
      answers: {
        listDiagnostics: () => [makeDiagnostic()],
        downloadDiagnostic: () => refuse(401, 'not_authenticated'),
      },
    });
    fireEvent.click(await screen.findByRole('link', { name: /^Download the archive of/ }));
    await waitFor(() => expect(address()).toMatch(/^\/login\?redirect=/));
    expect(followed).toEqual([]);
  });

  // spec: 8.02
  it.each([
    ['leads to security', 403, 'role_forbidden', 'Your role is too weak.', 'Your role is too weak'],
    ['is told by a toast', 404, 'diagnostic_not_found', 'The archive is gone.', 'The archive is gone'],
  ] as const)('spec 8: a download that is refused %s (%i)', async (_, status, code, detail, shown) => {
    const followed = followedDownloads();
    const { address } = renderConsole(tab, {
      answers: {
        listDiagnostics: () => [makeDiagnostic()],
        downloadDiagnostic: () => refuse(status, code, detail),
      },
    });
    fireEvent.click(await screen.findByRole('link', { name: /^Download the archive of/ }));
    expect(await screen.findByText(shown)).toBeTruthy();
    expect(address() === '/security').toBe(status === 403);
    expect(followed).toEqual([]);
  });

  it('say why there is no archive, and what the device said of it, as plain text', async () => {
    const failed = makeDiagnostic({
      status: 'failed',
      reason: 'device_failed',
      detail: '<b>no space</b>',
      size: null,
      sha256: null,
      requestedBy: null,
    });
    renderConsole(tab, { locale: 'ru', answers: { listDiagnostics: () => [failed] } });
    expect(await screen.findByText('Контроллер не смог собрать данные.')).toBeTruthy();
    expect(screen.getByText('<b>no space</b>')).toBeTruthy();
    expect(screen.getByText('пользователь удалён')).toBeTruthy();
    expect(screen.queryByRole('link', { name: /Скачать/ })).toBeNull();
  });

  it.each([
    [true, 'collecting', 'Diagnostics are under way already. Wait for them to end.'],
    [false, 'ready', 'Viewers cannot do this'],
  ] as const)(
    'the diagnostics of a controller cannot be requested now, and say why (%s, %s)',
    async (isMember, status, text) => {
      const diagnostic = status === 'ready' ? makeDiagnostic() : underWay(status);
      const { callsOf } = renderConsole(tab, {
        answers: {
          ...asRole(isMember ? 'member' : 'viewer'),
          ...answersOf(() => [diagnostic]),
        },
      });
      // Another one takes its place when the reason is known.
      const isMarked = async () => expect((await requestButton()).getAttribute('aria-disabled')).toBe('true');
      await waitFor(isMarked);
      await screen.findByText(status === 'ready' ? 'Ready' : 'The controller is collecting the data');
      const button = await requestButton();
      act(() => button.focus());
      expect(await screen.findByText(text)).toBeTruthy();
      fireEvent.click(button);
      expect(callsOf('requestDiagnostic')).toEqual([]);
      if (status === 'ready') {
        const link = await screen.findByRole('link', { name: /^Download/ });
        expect(link.getAttribute('aria-disabled')).toBe('true');
      }
    },
  );

  it('tell before that an offline controller is waited for', async () => {
    const getController = () => makeController({ status: 'offline' });
    renderConsole(tab, { answers: { getController, listDiagnostics: () => [] } });
    expect(await screen.findByText(/^The controller is offline\. Diagnostics begin as soon as/)).toBeTruthy();
  });

  // spec: 7.22
  it('spec 7: how the last ones stand is the answer of their own call, without the list of all too', async () => {
    const { callsOf } = renderConsole(tab, {
      answers: {
        getDiagnostic: () => ({ status: 'requested', id, created: '2025-11-20T09:40:00Z' }),
        listDiagnostics: () => refuse(404, 'controller_not_found'),
      },
    });
    expect(await screen.findByText('Waiting for the controller to come online')).toBeTruthy();
    expect((await requestButton()).getAttribute('aria-disabled')).toBe('true');
    expect(callsOf('getDiagnostic').map(({ params }) => params)).toEqual([{ serialNumber: 'A1B2C3D4' }]);
  });

  // spec: 8.07
  it.each(['fetch', 'request'] as const)(
    'spec 8: a failed %s is no toast, but stands in its place',
    async (call) => {
      renderConsole(tab, {
        answers: {
          listDiagnostics: () => (call === 'fetch' ? refuse(404, 'controller_not_found', 'Gone.') : []),
          requestDiagnostic: () => refuse(409, 'diagnostic_in_progress', 'Under way.'),
        },
      });
      if (call === 'request') fireEvent.click(await requestButton());
      const text =
        call === 'fetch' ? 'Diagnostics could not be loaded' : 'The request did not go through. Try again.';
      expect(await screen.findByText(text)).toBeTruthy();
      expect(document.querySelector('.Toastify__toast')).toBeNull();
    },
  );
});
