import type { LastMqttData, MqttControl } from '@pult/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { makeController, organization, refuse } from '../testing/fake-api.ts';
import { renderConsole } from '../testing/render-console.tsx';

const tab = `/organizations/${organization.id}/controllers/A1B2C3D4?tab=data`;
const receivedAt = '2025-11-20T09:40:00Z';

const makeControl = (changes: Partial<MqttControl> = {}): MqttControl => ({
  id: 'Temperature',
  title: 'Temperature',
  type: 'temperature',
  value: '21.5',
  units: '°C',
  updatedAt: receivedAt,
  ...changes,
});
const dataOf = (...controls: MqttControl[]): LastMqttData => ({
  receivedAt,
  devices: [{ id: 'wb-msw-v3_12', title: 'Sensor', controls }],
});
const open = (data: LastMqttData, options: Parameters<typeof renderConsole>[1] = {}) =>
  renderConsole(tab, { ...options, answers: { getLastMqttData: () => data, ...options.answers } });
const row = async (name: RegExp) => screen.findByRole('row', { name });

describe('the data of a controller', () => {
  it.each([
    ['en', 'No data yet'],
    ['ru', 'Данных пока нет'],
  ] as const)('say what to look at when there are none (%s)', async (locale, text) => {
    open({ receivedAt: null, devices: [] }, { locale });
    expect(await screen.findByText(text)).toBeTruthy();
  });

  // spec: 7.20
  it('the data of a controller are shown by device and control, numbers as the locale writes them', async () => {
    open(
      dataOf(makeControl(), makeControl({ id: 'K1', title: 'K1', type: 'switch', value: '1', units: null })),
      {
        locale: 'ru',
      },
    );
    expect((await row(/Temperature/)).textContent).toContain('21,5°C');
    expect((await row(/K1/)).textContent).toContain('Вкл.');
    expect(screen.getByRole('button', { name: /^Sensor/ }).getAttribute('aria-expanded')).toBe('true');
  });

  it('the data of a controller change as they come, and are read anew when not all was told', async () => {
    const titles = ['Temperature', 'Supply', 'Outdoor'];
    let calls = 0;
    const { emit } = renderConsole(tab, {
      answers: {
        getLastMqttData: () => {
          const title = titles[calls] ?? 'asked once too often';
          calls += 1;
          return dataOf(makeControl({ title }));
        },
      },
    });
    await row(/Temperature/);
    const change = { device: 'wb-msw-v3_12', control: 'Temperature', value: '22.75', updatedAt: receivedAt };
    const event = { type: 'controller.values', serialNumber: 'A1B2C3D4', receivedAt } as const;
    // Before the first message of a stream anything may have been missed: all is read anew.
    await emit({ ...event, serialNumber: 'E5F6G7H8', controls: [], isPartial: false });
    await row(/Supply/);
    await emit({ ...event, controls: [change], isPartial: false });
    expect((await row(/Supply/)).textContent).toContain('22.75°C');
    expect(calls).toBe(2);
    await emit({ ...event, controls: [], isPartial: true });
    await row(/Outdoor/);
  });

  it('the data of a controller are searched, and closed device by device', async () => {
    open(dataOf(makeControl(), makeControl({ id: 'Humidity', title: 'Humidity', units: '%' })));
    await row(/Humidity/);
    fireEvent.change(screen.getByRole('searchbox', { name: 'Find a device or control' }), {
      target: { value: 'hum' },
    });
    await waitFor(() => expect(screen.queryByRole('row', { name: /Temperature/ })).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: /^Sensor/ }));
    expect(screen.queryByRole('table')).toBeNull();
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nothing like it' } });
    expect(await screen.findByText('Nothing found')).toBeTruthy();
  });

  it('tell what is wrong, offer the topic, and show what a device says as plain text', async () => {
    open(
      dataOf(
        makeControl({ error: 'r' }),
        makeControl({
          id: 'x',
          title: '<img src=x onerror=alert(1)>',
          type: 'text',
          value: '<b>1</b>',
          error: '<i>',
        }),
      ),
    );
    const failed = await row(/Temperature/);
    within(failed).getByText('The device does not answer');
    within(failed).getByRole('button', {
      name: 'Copy the topic /devices/wb-msw-v3_12/controls/Temperature',
    });
    screen.getByText('<img src=x onerror=alert(1)>');
    screen.getByText('<b>1</b>');
    screen.getByText('Error: <i>');
    screen.getByText('2 errors');
  });

  it('the data of a controller are said to be old while the controller is offline', async () => {
    open(dataOf(makeControl()), {
      answers: { getController: () => makeController({ status: 'offline' }) },
    });
    expect(
      await screen.findByText('The controller is offline: these are the last known values.'),
    ).toBeTruthy();
  });

  it('the data of a controller that cannot be loaded say so, and can be asked for again', async () => {
    let isBroken = true;
    renderConsole(tab, {
      answers: { getLastMqttData: () => (isBroken ? refuse(500, 'internal_error') : dataOf(makeControl())) },
    });
    expect(await screen.findByText('Could not load the data')).toBeTruthy();
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: /again|retry/i }));
    await row(/Temperature/);
  });
});
