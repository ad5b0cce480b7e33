import type { Command } from '../command.ts';
import { CliError } from '../cli-error.ts';
import { forgetLogin, readOrigin, saveLogin } from '../login-store.ts';
import { connectServer } from '../server.ts';

export const login: Command = {
  name: 'login',
  usage: 'URL [--token TOKEN]',
  summary: 'Remember a server and a token for it',
  description: [
    'Make the token in the console under **Account → Tokens**. Without `--token` it is read from the standard input, which keeps it out of the history of the shell.',
    'It is stored in `~/.config/pult/login.json`, which nobody else can read. `PULT_SERVER` and `PULT_TOKEN` win over what is stored.',
  ],
  examples: ['pult login https://pult.example.com', 'pult login https://pult.example.com --token "$TOKEN"'],
  options: [{ name: 'token', value: 'TOKEN', text: 'The token; otherwise it is read from the standard input' }],
  async run({ positionals: [url = ''], values }, { env, note, readInput }) {
    const server = readOrigin(url);
    if (values.token === undefined) note('Paste a token (Account → Tokens) and press Enter: ');
    const token = (values.token ?? (await readInput())).trim();
    if (!/^\S+$/.test(token)) throw new CliError('usage', 'No token was given.');
    const { email } = await connectServer({ server, token }, env).call('getCurrentUser');
    const path = saveLogin(env, { server, token });
    note(`Logged in to ${server} as ${email}. The token is in ${path}.\n`);
    return undefined;
  },
};

export const logout: Command = {
  name: 'logout',
  usage: '',
  summary: 'Forget the stored token',
  description: ['The token itself stays good: delete it in the console under **Account → Tokens**.'],
  async run(_, { env, note }) {
    forgetLogin(env);
    note('The token is forgotten here. It ends when it is deleted under Account → Tokens.\n');
    return undefined;
  },
};
