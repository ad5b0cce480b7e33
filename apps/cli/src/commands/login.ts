import { type Command, jsonOption } from '../command.ts';
import { forgetLogin, readOrigin, requireToken, saveLogin } from '../login-store.ts';
import { formatJson } from '../plain-text.ts';
import { connectServer } from '../server.ts';

export const login: Command = {
  name: 'login',
  usage: 'URL [--token TOKEN]',
  summary: 'Remember a server and a token for it',
  description: [
    'Make the token in the console under **Account → Tokens**. Without `--token` it is asked for and not shown, or read from the standard input: that keeps it out of the history of the shell and out of the list of processes.',
    'It is stored in `pult/login.json` under `XDG_CONFIG_HOME` (otherwise `~/.config`), which nobody else can read. `PULT_SERVER` and `PULT_TOKEN` win over what is stored.',
  ],
  examples: ['pult login https://pult.example.com', 'pult login https://pult.example.com < token-file'],
  options: [{ name: 'token', value: 'TOKEN', text: 'The token; otherwise it is asked for' }, jsonOption],
  words: [1, 1],
  async run({ positionals: [url = ''], values, switches }, { env, note, write, readSecret }) {
    const server = readOrigin(url);
    const token = requireToken((values.token ?? (await readSecret(`Token for ${server}: `))).trim());
    const { email } = await connectServer({ server, token }, env).call('getCurrentUser');
    const path = saveLogin(env, { server, token });
    if (switches.has('json')) write(formatJson({ server, email, file: path }));
    else note(`Logged in to ${server} as ${email}. The token is in ${path}.\n`);
    return undefined;
  },
};

export const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'Forget the stored token',
  description: ['The token itself stays good: delete it in the console under **Account → Tokens**.'],
  words: [0, 0],
  async run(_, { env, note }) {
    forgetLogin(env);
    note('The token is forgotten here. It ends when it is deleted under Account → Tokens.\n');
    return undefined;
  },
};
