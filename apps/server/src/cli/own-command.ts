import { pultCommand } from '@pult/contract';

/** How people run these commands here: as the program `pult` of an archive or a package says, otherwise by npm. */
export const ownCommand = process.env.PULT_COMMAND || pultCommand;
