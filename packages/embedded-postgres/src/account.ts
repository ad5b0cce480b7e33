import { readFile, stat } from 'node:fs/promises';
import { EmbeddedDatabaseError } from './errors.ts';

/** Whom PostgreSQL runs as. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  /** Set when we are root and must start its processes as that user. */
  readonly switchTo?: { readonly uid: number; readonly gid: number };
}

const preferredUsers = ['pult', 'postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root, so root hands it to another user: the owner of an existing database, or else the
 * first of pult, postgres and nobody that the system has. `cluster` need not exist.
 */
export async function chooseAccount(cluster: string): Promise<Account> {
  const uid = process.getuid?.() ?? 0;
  const owner = await stat(cluster).catch(() => undefined);
  if (uid !== 0) {
    if (owner !== undefined && owner.uid !== uid) {
      throw new EmbeddedDatabaseError(
        `The database in ${cluster} belongs to another user (uid ${owner.uid}). Start the server as that user or as root.`,
      );
    }
    return { uid, gid: process.getgid?.() ?? uid, name: 'this user' };
  }
  const users = await readUsers();
  if (owner !== undefined && owner.uid !== 0) {
    const name = users.find((user) => user.uid === owner.uid)?.name ?? `uid ${owner.uid}`;
    return asSwitch({ uid: owner.uid, gid: owner.gid, name });
  }
  for (const name of preferredUsers) {
    const user = users.find((candidate) => candidate.name === name && candidate.uid !== 0);
    if (user) return asSwitch(user);
  }
  throw new EmbeddedDatabaseError(
    'PostgreSQL does not run as root, and this system has none of the users pult, postgres and nobody. ' +
      'Create one (useradd --system pult), start the server as an ordinary user, or set DATABASE_URL.',
  );
}

const asSwitch = ({ uid, gid, name }: { uid: number; gid: number; name: string }): Account => ({
  uid,
  gid,
  name,
  switchTo: { uid, gid },
});

async function readUsers(): Promise<{ name: string; uid: number; gid: number }[]> {
  const content = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return content
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
