import { drawTerminalQr } from '@pult/link/terminal-qr';

// In English and ASCII: dropbear drops every other byte, and these lines stand in the logs of devices.

/** What a device is told of itself, in lines. */
export interface ToldState {
  serialNumber: string;
  /** Null once it is claimed. */
  activationLink: string | null;
}

/** For the banner, and for whoever asks for a shell; with a QR code where so many columns of a terminal have UTF-8 and room for it. */
export function describeState({ serialNumber, activationLink }: ToldState, columns = 0): string {
  if (activationLink === null) return `Controller ${serialNumber} is connected.\n`;
  const code = drawTerminalQr(activationLink, columns).map((line) => `${line}\n`);
  return `Controller ${serialNumber} belongs to nobody yet. Open this link to add it to your organization:\n${activationLink}\n${code.join('')}`;
}

export const nothingForwarded =
  'Nothing is forwarded: add -R pult-http:80:127.0.0.1:80 and -R pult-ssh:22:127.0.0.1:22.\n';

/** Why a device is not let in, by its banner. */
export const loginRefusals = {
  serial_invalid:
    'A serial number has letters A-Z, digits and single hyphens between them, 36 characters at most.',
  key_unsupported: 'The key must be of Ed25519, ECDSA, or RSA of 2048 bits or more.',
  key_of_person: 'This key is registered for the account of a person. A device needs a key of its own.',
  enrolment_key_wrong: 'The enrolment key is wrong.',
  too_many_unclaimed: 'Too many unclaimed devices of your address are connected.',
} as const;

export const enrolmentKeyPrompt = 'Enrolment key: ';
