import { expect, test } from 'vitest';
import { findSerialNumber, type SerialSources } from './serial-number.ts';

const none: SerialSources = {
  askWirenBoard: async () => undefined,
  readDeviceTree: () => undefined,
  readMachineId: () => '0123456789abcdef0123456789abcdef',
};

test('the configured serial wins, then the board, then the device tree', async () => {
  const all: SerialSources = {
    ...none,
    askWirenBoard: async () => 'AX7QPZ3B',
    readDeviceTree: () => '10000000ab',
  };
  expect(await findSerialNumber('mine-1', all)).toBe('MINE-1');
  expect(await findSerialNumber(undefined, all)).toBe('AX7QPZ3B');
  expect(await findSerialNumber(undefined, { ...all, askWirenBoard: none.askWirenBoard })).toBe('10000000AB');
});

test('the machine id gives eight characters, always the same, where there is no serial number', async () => {
  const serial = await findSerialNumber(undefined, none);
  expect(serial).toMatch(/^[A-Z2-7]{8}$/);
  expect(await findSerialNumber(undefined, none)).toBe(serial);
  expect(await findSerialNumber(undefined, { ...none, readMachineId: () => 'f'.repeat(32) })).not.toBe(
    serial,
  );
});

test.each(['0000000000000000', 'Default string', 'To be filled by O.E.M.', 'None'])(
  'the placeholder %s is no serial',
  async (placeholder) => {
    const serial = await findSerialNumber(undefined, { ...none, readDeviceTree: () => placeholder });
    expect(serial).toBe(await findSerialNumber(undefined, none));
  },
);

test('an odd serial becomes a usable one', async () => {
  expect(await findSerialNumber('my.board_1', none)).toMatch(/^MY-BOARD-1-[A-Z2-7]{10}$/);
});
