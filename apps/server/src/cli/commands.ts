import { pultCommand } from '@pult/contract';
import { listMails, showMail } from './mails.ts';
import { addUser, resetSecondFactor, setPassword } from './users.ts';
import { readConfig } from './with-database.ts';

export interface Command {
  usage: string;
  summary: string;
  run(args: string[]): Promise<void>;
}

/** The words of the command line made no command. */
export class UsageError extends Error {
  constructor() {
    super(`Usage: ${pultCommand} <command>`);
  }
}

function only(args: string[]): string {
  const [first, ...rest] = args;
  if (first === undefined || rest.length > 0) throw new UsageError();
  return first;
}

export const commands: Record<string, Command> = {
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
  config: {
    usage: '',
    summary: 'print the configuration in force, without secrets',
    async run() {
      const { admin, database, ...config } = readConfig();
      const shown = {
        ...config,
        agents: {
          urls: config.agents.urls,
          enrollmentKey: config.agents.enrollmentKey ? '(set)' : undefined,
        },
        mail: { from: config.mail.from, smtpUrl: config.mail.smtpUrl ? '(set)' : undefined },
        admin: { email: admin.email },
        database: database.url ? 'DATABASE_URL' : 'embedded',
      };
      process.stdout.write(`${JSON.stringify(shown, null, 2)}\n`);
    },
  },
};
