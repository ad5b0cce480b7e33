import * as connect from '../features/tunnels/connect-messages.ts';
import * as files from '../features/tunnels/files/messages.ts';
import * as tunnels from '../features/tunnels/messages.ts';
import { withParity } from '../shared/i18n/parity.ts';

/** Texts of the terminal and of web interfaces, the most of all: loaded with their page, which no list waits for. */
export const connectNamespaces = withParity({ connect, files, tunnels });
