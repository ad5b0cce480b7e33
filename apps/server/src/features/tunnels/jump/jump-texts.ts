import type { Text } from '@pult/contract';

/**
 * Why a controller was not reached. In English and ASCII: OpenSSH shows every other byte of such a text as an octal
 * number.
 */
export const jumpRefusals = {
  destination_invalid:
    'not the serial number of a controller; connect with: ssh -J {user}@{host} root@<serial number>',
  port_forbidden:
    'only port 22 of a controller can be reached here; forward its other ports over SSH to it (ssh -L)',
  kind_forbidden: 'only connections to port 22 of a controller are served here',
  controller_not_found: 'controller {serialNumber} does not exist',
  role_forbidden: 'your role in the organization of this controller does not allow SSH',
  totp_setup_required:
    'the organization of this controller requires a second factor; turn it on at {securityUrl}',
  sign_in_required:
    'the organization of this controller requires a sign-in by its provider; sign in by it in a browser, and try again',
  controller_offline: 'controller {serialNumber} is offline',
  node_unreachable:
    'the node that controller {serialNumber} is connected to is not reached; try again in a minute',
  service_refused: 'the SSH server of controller {serialNumber} did not accept the connection',
  link_lost: 'the connection to controller {serialNumber} was lost',
  too_many: 'too many connections are open; close some and try again',
  unavailable: 'the server cannot do this now; try again in a minute',
} as const;
export type JumpRefusalCode = keyof typeof jumpRefusals;

/** Shown to who asks for a shell or a command on the jump host itself. */
export const noShell: Text = {
  ru: '{service}: здесь нет командной строки. Подключитесь к контроллеру: ssh -J {user}@{host} root@<серийный номер>',
  en: '{service}: there is no shell here. Connect to a controller: ssh -J {user}@{host} root@<serial number>',
};
