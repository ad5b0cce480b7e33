import { firstLoginPath, readFirstLogin } from '../features/accounts/index.ts';
import { ownCommand } from '../own-command.ts';
import { readConfig } from './with-database.ts';

/** What the first administrator logs in with, as long as they have not. */
export async function showFirstLogin(): Promise<void> {
  const { dir } = readConfig().data;
  const login = await readFirstLogin(dir);
  if (!login) {
    throw new Error(
      `There is no ${firstLoginPath(dir)}: the first administrator has logged in, has the password of ADMIN_PASSWORD, or was made by another node, which has the file. ` +
        `Another password: ${ownCommand} user set-password EMAIL`,
    );
  }
  process.stdout.write(`Email: ${login.email}\nPassword: ${login.password}\n`);
}
