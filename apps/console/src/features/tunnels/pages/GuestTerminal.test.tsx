import { screen } from '@testing-library/react';
import { test } from 'vitest';
import { formatDate } from '../../../shared/i18n/format.ts';
import { renderPart } from '../../../shared/testing/render-part.tsx';
import { GuestTerminal } from './GuestTerminal.tsx';

const entered = {
  kind: 'terminal',
  guestId: '01890a5d-ac96-774b-bcce-b302099a8057',
  serialNumber: 'A1B2C3D4',
  description: 'Boiler house, Tverskaya 7',
  organization: 'Aurora Facilities',
  isReadOnly: false,
} as const;
const [noon, evening] = ['2026-11-27T10:12:00Z', '2026-11-27T22:12:00Z'];

test('a guest’s terminal tells the end of the link and that of the session apart', () => {
  renderPart(<GuestTerminal {...entered} expiresAt={noon} linkExpiresAt={evening} />);
  const [link, session] = [formatDate(evening, 'en'), formatDate(noon, 'en')];
  screen.getByText(`This link is good until ${link}; this session ends ${session}`);
});

test('a guest’s terminal that ends with its link has one end', () => {
  renderPart(<GuestTerminal {...entered} expiresAt={evening} linkExpiresAt={evening} />);
  screen.getByText('Boiler house, Tverskaya 7');
  screen.getByText('Aurora Facilities');
  screen.getByText(`Access until ${formatDate(evening, 'en')}`);
});
