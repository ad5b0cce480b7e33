
def sub(p,a,b,n=1):
    s=open(p).read()
    assert a in s,(p,a)
    s=s.replace(a,b,n); open(p,'w').write(s)
def w(p,t): open(p,'w').write(t)
C='packages/contract/src/'; S='apps/server/src/'
sub(C+'limits.ts',"  tunnel: 12 * 3600,","  /** How long a key that `pult ssh` makes for itself logs in at the jump host. What it has opened may go on as a tunnel may. */\n  shortSshKey: 5 * 60,\n  tunnel: 12 * 3600,")
sub(C+'schemas/accounts.ts',"export const user = z.object","""/** A key for the jump host that counts for minutes, and no longer than the session or token that has asked for it. */
export const certifySshKeyRequest = z.strictObject({ publicKey: secret(limits.sshPublicKeyLength) });
export const shortSshKey = z.object({
  /** The name under which the key logs in at the jump host. */
  user: z.string(),
  fingerprint: z.string(),
  expiresAt: time,
});

export const user = z.object""")
sub(C+'routes/accounts.ts',"  changePasswordRequest,","  certifySshKeyRequest,\n  changePasswordRequest,")
sub(C+'routes/accounts.ts',"  signUpAnswer,","  shortSshKey,\n  signUpAnswer,")
sub(C+'routes/accounts.ts',"  signUp: {","""  certifySshKey: {
    method: 'POST',
    path: '/api/v1/auth/ssh-certificates/',
    access: 'user',
    token: 'tunnels.open',
    body: certifySshKeyRequest,
    status: 201,
    answer: shortSshKey,
    errors: ['too_many_attempts'],
    summary: 'Let a key log in at the jump host for five minutes, for the session or token that asks',
  },
  signUp: {""")
w(S+'platform/db/migrations/NEXT-short-ssh-keys.ts','''import { type Kysely, sql } from 'kysely';

/** Keys for the jump host that count for minutes, and end with the session or the token that has asked for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table ssh_keys
    add column session_id uuid references sessions on delete cascade,
    add column expires_at timestamptz,
    add check ((session_id is null) = (expires_at is null))`.execute(db);
  await sql`create index ssh_keys_session_id on ssh_keys (session_id) where session_id is not null`.execute(db);
}
''')
sub(S+'platform/db/schema.ts',"""  digest: Buffer;
  created_at: Time;
  last_used_at: Time | null;
}""","""  digest: Buffer;
  created_at: Time;
  last_used_at: Time | null;
  /** Of one that counts for minutes: what it ends with, and until when it logs in. */
  session_id: string | null;
  expires_at: Time | null;
}""")
r=S+'features/accounts/ssh-keys.repository.ts'
sub(r,"  createdAt: Date;\n}","  createdAt: Date;\n  /** Of a key that counts for minutes. */\n  short?: { sessionId: string; expiresAt: Date };\n}")
sub(r,"  credentials: string;\n}","  credentials: string;\n  /** The name of the token for which the key was made; null for all others. */\n  token: string | null;\n}")
sub(r,"""      db.selectFrom('ssh_keys').selectAll().where('user_id', '=', userId).orderBy('id').execute(),""","""      db
        .selectFrom('ssh_keys')
        .selectAll()
        .where('user_id', '=', userId)
        .where('session_id', 'is', null)
        .orderBy('id')
        .execute(),""")
sub(r,"""        .where('user_id', '=', key.userId)
        .executeTakeFirstOrThrow();
      if (Number(count) >= limits.sshKeysPerUser) return 'full';""","""        .where('user_id', '=', key.userId)
        .where('session_id', 'is', null)
        .executeTakeFirstOrThrow();
      if (!key.short && Number(count) >= limits.sshKeysPerUser) return 'full';""")
sub(r,"          created_at: key.createdAt,\n        })","          created_at: key.createdAt,\n          session_id: key.short?.sessionId ?? null,\n          expires_at: key.short?.expiresAt ?? null,\n        })")
sub(r,"""        .where('id', '=', id)
        .returning(['name', 'digest'])""","""        .where('id', '=', id)
        .where('session_id', 'is', null)
        .returning(['name', 'digest'])""")
sub(r,"""    getOwner: (digest: Buffer): Promise<SshKeyOwner | undefined> =>
      db
        .selectFrom('ssh_keys')
        .innerJoin('users', 'users.id', 'ssh_keys.user_id')""","""    getOwner: (digest: Buffer, now: Date): Promise<SshKeyOwner | undefined> =>
      db
        .selectFrom('ssh_keys')
        .innerJoin('users', 'users.id', 'ssh_keys.user_id')
        .leftJoin('sessions', (join) =>
          join.onRef('sessions.id', '=', 'ssh_keys.session_id').on('sessions.expires_at', '>', now),
        )
        .leftJoin('access_tokens', 'access_tokens.id', 'sessions.id')""")
sub(r,"          sshCredentials.as('credentials'),\n        ])\n        .where('ssh_keys.digest', '=', digest)","""          sshCredentials.as('credentials'),
          'access_tokens.name as token',
        ])
        .where('ssh_keys.digest', '=', digest)
        .where(({ eb, or, and }) =>
          or([
            eb('ssh_keys.session_id', 'is', null),
            and([eb('ssh_keys.expires_at', '>', now), eb('sessions.id', 'is not', null)]),
          ]),
        )""")
sub(r,"""    async touch(id""","""    /** What they have opened is cut. */
    async deleteShort(madeBefore: Date): Promise<void> {
      await db
        .deleteFrom('ssh_keys')
        .where('session_id', 'is not', null)
        .where('created_at', '<=', madeBefore)
        .execute();
    },

    async touch(id""")
v=S+'features/accounts/ssh-keys.service.ts'
sub(v,"import { limits, type SshKey } from","import { lifetimes, limits, type SshKey } from")
sub(v,"const additionsPerHour = 60;","const additionsPerHour = 60;\n/** One for each connection of the command line. */\nconst shortKeysPerHour = 1000;")
sub(v,"""    /** Connections that were opened by it end. */""","""    /** For one connection of a program: not listed, not mailed, and gone with the session or token. */
    async certify(
      { userId, email, sessionId }: Principal,
      publicKey: string,
    ): Promise<{ user: string; fingerprint: string; expiresAt: string }> {
      const key = readSshPublicKey(publicKey);
      const limit = { key: ['short ssh-key', userId], limit: shortKeysPerHour, window: 3600 };
      await rateLimiter.require([limit]);
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + lifetimes.shortSshKey * 1000);
      const short = { sessionId, expiresAt };
      const added = { id: createId(), userId, name: 'pult ssh', ...key, createdAt, short };
      const outcome = await db.transaction().execute((transaction) => repository.add(transaction, added));
      if (outcome !== 'added') throw new FieldError('publicKey', 'ssh_key_taken');
      const fingerprint = formatFingerprint(key.digest);
      return { user: email, fingerprint, expiresAt: expiresAt.toISOString() };
    },

    /** Those made for one connection, once no tunnel would live so long. */
    deleteShort: () => repository.deleteShort(new Date(clock.now().getTime() - lifetimes.tunnel * 1000)),

    /** Connections that were opened by it end. */""")
sub(v,"repository.getOwner(digest),","\n      repository.getOwner(digest, clock.now()),")
t=S+'features/accounts/ssh-keys.routes.ts'
sub(t,"  api.route(routes.deleteSshKey","  api.route(routes.certifySshKey, ({ principal, body }) => sshKeys.certify(principal, body.publicKey));\n  api.route(routes.deleteSshKey")
f=S+'features/accounts/accounts.feature.ts'
sub(f,"        await sessions.deleteExpired();","        await sessions.deleteExpired();\n        await sshKeys.deleteShort();")
l=S+'features/tunnels/live-tunnels.repository.ts'
sub(l,"          left join ssh_keys on ssh_keys.id = asked.key_id\n","""          left join ssh_keys on ssh_keys.id = asked.key_id
            and (ssh_keys.session_id is null or exists (
              select from sessions as held where held.id = ssh_keys.session_id and held.expires_at > ${now}))
""")
j=S+'features/tunnels/jump/jump-connection.ts'
s=open(j).read()
print([x for x in s.split('\n') if 'openChannel(' in x or 'noteWrongUser' in x])
a=S+'access-matrix.accounts.fixture.ts'
sub(a,"    // One's own is deleted by any role;","""    certifySshKey: {
      prepare: async () => ({ body: { publicKey: createPublicKey() } }),
      outsider: ownAffair,
    },
    // One's own is deleted by any role;""")
sub(j,"? openChannel(owner, { accept, asked, serialNumber, describe }).finally(release)","? actAsToken(owner.token ?? undefined, () =>\n            openChannel(owner, { accept, asked, serialNumber, describe }),\n          ).finally(release)")
s=open(j).read()
import re
m=re.search(r"import .*platform/audit\.ts';\n",s)
s=s[:m.start()]+"import { actAsToken } from '../../../platform/acting-token.ts';\n"+s[m.start():]
open(j,'w').write(s)
