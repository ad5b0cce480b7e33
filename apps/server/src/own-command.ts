import { pultCommand } from '@pult/contract';

/** How people run the commands here: as the program `pult` of an archive or a package says, otherwise by npm. */
export const ownCommand = process.env.PULT_COMMAND || pultCommand;

/** The same for people elsewhere, who need not know in which folder an archive was unpacked. */
export const shortenCommand = (command: string) =>
  command !== pultCommand && command.includes('/') ? './pult' : command;
