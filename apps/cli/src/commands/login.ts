import { type Command, jsonOption } from '../command.ts';
import { logInByCode, readScopes } from '../device-login.ts';
import { forgetLogin, readOrigin, requireToken, saveLogin } from '../login-store.ts';
import { formatJson } from '../plain-text.ts';
import { connectServer } from '../server.ts';

export const login: Command = {
  name: 'login',
  usage: 'URL [--scopes SCOPES] [--token TOKEN]',
  summary: 'Remember a server and a token for it',
  description: [
    'It shows a code, which you enter in the console at `/device` within ten minutes. There you see who asks and from where, and choose what this computer may do; it gets a token of 30 days, which stands under **Account → Tokens**.',
    'With a token of your own it asks for nothing: `--token`, or better the standard input, which keeps it out of the history of the shell and out of the list of processes.',
    'It is stored in `pult/login.json` under `XDG_CONFIG_HOME` (otherwise `~/.config`), which nobody else can read. `PULT_SERVER` and `PULT_TOKEN` win over what is stored.',
  ],
  examples: ['pult login https://pult.example.com', 'pult login https://pult.example.com < token-file'],
  options: [
    {
      name: 'scopes',
      value: 'SCOPES',
      text: 'What to ask for, with commas; otherwise what the commands need: `controllers.read`, `tunnels.open`, `diagnostics.request`',
    },
    { name: 'token', value: 'TOKEN', text: 'A token that was made in the console' },
    jsonOption,
  ],
  words: [1, 1],
  async run({ positionals: [url = ''], values, switches }, { env, note, write, readInput, isTyped }) {
    const server = readOrigin(url);
    const scopes = readScopes(values.scopes);
    const given = values.token ?? (isTyped ? '' : await readInput()).trim();
    const byCode = () => logInByCode(connectServer({ server }, env).call, scopes, note);
    const token = requireToken(given || (await byCode()));
    const { email } = await connectServer({ server, token }, env).call('getCurrentUser');
    const path = saveLogin(env, { server, token });
    if (switches.has('json')) write(formatJson({ server, email, file: path }));
    else note(`Logged in to ${server} as ${email}. The token is in ${path}.\n`);
    return undefined;
  },
};

export const logout: Command = {
  name: 'logout',
  usage: '[--json]',
  summary: 'Forget the stored token',
  description: ['The token itself stays good: delete it in the console under **Account → Tokens**.'],
  options: [jsonOption],
  words: [0, 0],
  async run({ switches }, { env, note, write }) {
    const path = forgetLogin(env);
    if (switches.has('json')) write(formatJson({ loggedOut: true, file: path }));
    else note('The token is forgotten here. It ends when it is deleted under Account → Tokens.\n');
    return undefined;
  },
};
