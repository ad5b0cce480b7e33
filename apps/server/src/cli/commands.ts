import { randomBytes } from 'node:crypto';
import { loadConfig } from '../config/config.ts';
import { readEnvironment } from '../config/env.ts';
import { createSecretHider, listSecrets } from '../config/known-secrets.ts';
import { ownCommand } from '../own-command.ts';
import { version } from '../version.ts';
import { grantAdministrator, listAdministrators, revokeAdministrator } from './administrators.ts';
import { rotateAgentKey } from './agent-key.ts';
import { createBackupFile, restoreBackupFile, verifyBackupFile } from './backups.ts';
import { runDoctor } from './doctor.ts';
import { showFirstLogin } from './first-login.ts';
import { listMails, showMail } from './mails.ts';
import { copyArchives, copyDatabase } from './move-out.ts';
import { exportSecrets } from './secrets.ts';
import { writeSupport } from './support.ts';
import { createServiceToken } from './tokens.ts';
import { checkUpgrade } from './upgrade-check.ts';
import { addUser, resetSecondFactor, setPassword } from './users.ts';

export interface Command {
  usage: string;
  summary: string;
  /** What may follow it by `--name VALUE`, as often as wanted. */
  options?: readonly string[];
  /** What may follow it by `--name` alone. */
  switches?: readonly string[];
  run(args: string[], given?: GivenOptions): Promise<void>;
}

/** By name. */
export interface GivenOptions {
  options: Readonly<Partial<Record<string, readonly string[]>>>;
  switches: ReadonlySet<string>;
}

const nothing: GivenOptions = { options: {}, switches: new Set() };

/** The words of the command line made no command. */
export class UsageError extends Error {
  constructor() {
    super(`Usage: ${ownCommand} <command>`);
  }
}

function only(args: string[]): string {
  const [first, ...rest] = args;
  if (first === undefined || rest.length > 0) throw new UsageError();
  return first;
}

function atMostOne(args: string[]): string[] {
  if (args.length > 1) throw new UsageError();
  return args;
}

/** Bytes among the settings are keys. */
const hideBytes = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer'
    ? '(hidden)'
    : value;

export const commands: Record<string, Command> = {
  'first-login': {
    usage: '',
    summary: 'print the email and generated password of the first administrator, until their first login',
    async run(args) {
      if (args.length > 0) throw new UsageError();
      await showFirstLogin();
    },
  },
  'user add': {
    usage: 'EMAIL',
    summary: 'make an account and print its password once',
    run: (args) => addUser(only(args)),
  },
  'user set-password': {
    usage: 'EMAIL',
    summary: 'make a new password, print it once, end all sessions',
    run: (args) => setPassword(only(args)),
  },
  'user reset-totp': {
    usage: 'EMAIL',
    summary: 'turn the second factor off, end all sessions',
    run: (args) => resetSecondFactor(only(args)),
  },
  'user grant-admin': {
    usage: 'EMAIL',
    summary: 'make an account an administrator of the installation',
    run: (args) => grantAdministrator(only(args)),
  },
  'user revoke-admin': {
    usage: 'EMAIL',
    summary: 'make an administrator an account like others',
    run: (args) => revokeAdministrator(only(args)),
  },
  'user list-admins': {
    usage: '',
    summary: 'the administrators of the installation',
    async run(args) {
      if (args.length > 0) throw new UsageError();
      await listAdministrators();
    },
  },
  'token create': {
    usage: '--service NAME --organization ID',
    summary:
      'a token of a service account, printed once; a new account is an admin; --role, --scope, --expires, --network, --name',
    options: ['service', 'organization', 'role', 'scope', 'expires', 'network', 'name'],
    async run(args, { options } = nothing) {
      if (args.length > 0) throw new UsageError();
      await createServiceToken(options);
    },
  },
  'mail list': {
    usage: '',
    summary: 'the newest 200 mails: whether they were sent, and why not',
    async run(args) {
      if (args.length > 0) throw new UsageError();
      await listMails();
    },
  },
  'mail show': {
    usage: 'ID',
    summary: 'print a mail with its link, as its recipient has it',
    run: (args) => showMail(only(args)),
  },
  doctor: {
    usage: '[--json]',
    summary: 'say how the installation does, and what to do; status 1 where something cannot work',
    switches: ['json'],
    async run(args, { switches } = nothing) {
      if (args.length > 0) throw new UsageError();
      await runDoctor({ isJson: switches.has('json') });
    },
  },
  support: {
    usage: '[FILE]',
    summary: 'write versions, settings, doctor, metrics and last logs, without secrets, for a report',
    async run(args) {
      await writeSupport(atMostOne(args)[0]);
    },
  },
  'backup create': {
    usage: '[FILE]',
    summary: 'all that the server keeps in one file, while it runs; --recipient AGE-KEY encrypts it',
    options: ['recipient'],
    async run(args, { options: { recipient = [] } } = nothing) {
      const [file] = atMostOne(args);
      await createBackupFile(file, recipient);
    },
  },
  'backup verify': {
    usage: 'FILE',
    summary: 'restore a backup for a moment and read all of it; --identity KEYFILE opens an encrypted one',
    options: ['identity'],
    run: (args, { options: { identity = [] } } = nothing) => verifyBackupFile(only(args), identity),
  },
  restore: {
    usage: 'FILE',
    summary:
      'make the data folder, which must be empty, of a backup; --identity KEYFILE opens an encrypted one',
    options: ['identity'],
    run: (args, { options: { identity = [] } } = nothing) => restoreBackupFile(only(args), identity),
  },
  'database copy': {
    usage: '',
    summary: 'copy the embedded database of a stopped server into the empty one of DATABASE_URL',
    async run(args) {
      if (args.length > 0) throw new UsageError();
      await copyDatabase();
    },
  },
  'archives copy': {
    usage: '',
    summary: 'copy the diagnostics archives of the data folder into the bucket of S3_BUCKET',
    async run(args) {
      if (args.length > 0) throw new UsageError();
      await copyArchives();
    },
  },
  'secrets key': {
    usage: '',
    summary: 'print a new SECRETS_KEY, under which the secrets are kept in the database; stores nothing',
    async run(args) {
      if (args.length > 0) throw new UsageError();
      process.stdout.write(`${randomBytes(32).toString('hex')}\n`);
    },
  },
  'secrets export': {
    usage: 'FILE',
    summary: 'write the secrets of the database as secrets.json, for a node that has no SECRETS_KEY',
    run: (args) => exportSecrets(only(args)),
  },
  'agent-key rotate': {
    usage: '',
    summary: 'another key that signs updates of agents, from the next start of the server on',
    async run(args) {
      if (args.length > 0) throw new UsageError();
      await rotateAgentKey();
    },
  },
  'upgrade check': {
    usage: '[--rehearse]',
    summary:
      'what a start of this version will do with the data; changes nothing; --rehearse does it with the newest backup',
    options: ['identity'],
    switches: ['rehearse'],
    async run(args, { options: { identity = [] }, switches } = nothing) {
      if (args.length > 0) throw new UsageError();
      const isRehearsed = switches.has('rehearse');
      if (!(await checkUpgrade({ isRehearsed, identityFiles: identity }))) process.exitCode = 1;
    },
  },
  config: {
    usage: '',
    summary: 'print the configuration in force, without secrets',
    async run() {
      const environment = readEnvironment({ env: process.env, directory: process.cwd() });
      const hide = createSecretHider(listSecrets(environment));
      process.stdout.write(hide(`${JSON.stringify(loadConfig(environment, { version }), hideBytes, 2)}\n`));
    },
  },
};
