import { z } from 'zod';
import {
  backupOrigins,
  doctorChecks,
  healthStates,
  type InstallationProblem,
  installationProblems,
  servedCertificates,
} from '../values/installation.ts';
import { wirenBoardOff } from './environments.ts';
import { pageOf, pageQuery } from './query.ts';
import { id, text, time } from './text.ts';

const servedCertificate = z.object({ name: z.enum(servedCertificates), validUntil: time });

/** Those that end soon, for whoever may do something about it: nobody else is told of any. */
export const endingCertificates = z.object({ results: z.array(servedCertificate) });

const count = z.number().int().nonnegative();
export const installationProblem = z.enum(
  Object.keys(installationProblems) as [InstallationProblem, ...InstallationProblem[]],
);

/** Null where it could not be told in time. */
const part = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ problems: z.array(installationProblem), ...shape }).nullable();

/** Of the installation as its server sees it; nothing in it is a secret. */
export const installation = z.object({
  version: z.string(),
  node: z.string(),
  startedAt: time,
  backups: part({
    isScheduled: z.boolean(),
    isUnderWay: z.boolean(),
    isEncrypted: z.boolean(),
    /** An external database is backed up by its own tools. */
    hasDatabase: z.boolean(),
    place: z.enum(['folder', 'bucket']),
    nextAt: time.nullable(),
    /** Restored for a moment and read before it was kept. */
    lastSuccess: z.object({ name: z.string(), at: time, bytes: count }).nullable(),
    /** Null when the last one has not failed. */
    lastFailure: z.object({ at: time, reason: z.string() }).nullable(),
    /** The newest first, those by hand too. What a command has made is not checked, and may be kept anywhere. */
    runs: z.array(
      z.object({
        name: z.string(),
        startedAt: time,
        origin: z.enum(backupOrigins),
        /** An email, or an account on the server's machine for a command; null of the schedule. */
        requestedBy: z.string().nullable(),
        status: z.enum(['running', 'done', 'failed']),
        bytes: count.nullable(),
        reason: z.string().nullable(),
      }),
    ),
  }),
  certificates: part({
    list: z.array(servedCertificate),
  }),
  disk: part({ bytes: count, availableBytes: count }),
  database: part({
    version: z.string(),
    isEmbedded: z.boolean(),
    bytes: count,
    answerMs: z.number().nonnegative(),
  }),
  controllers: part({
    links: count,
    count,
    countOnline: count,
    /** Null: no limit. */
    limit: count.nullable(),
    wirenBoardOff,
  }),
  agentUpdates: part({
    /** The version of the agent that the server hands out; null where it has none. */
    version: z.string().nullable(),
    agents: count,
    /** Those of them that have an older one. */
    older: count,
    isAutomatic: z.boolean(),
    /** Of the version, where it gets to all agents by itself; null before its first one. */
    wave: z
      .object({
        /** The part of all agents that has the version by its end. */
        share: z.number(),
        begun: count,
        underWay: count,
        /** Why no more are updated; null where they are. */
        stopped: z
          .object({
            at: time,
            /** One went back to the version before, or did not come back at all. */
            reason: z.enum(['returned', 'silent']),
            /** The agent's own words about it: one printable line. */
            detail: z.string().nullable(),
          })
          .nullable(),
      })
      .nullable(),
  }),
  jobs: part({
    waiting: count,
    due: count,
    running: count,
    failed: count,
    /** Those whose last try has failed, the newest first. */
    failures: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        failedAt: time,
        error: z.string(),
        /** It is tried no more. */
        isGivenUp: z.boolean(),
      }),
    ),
    recurring: z.array(z.object({ name: z.string(), schedule: z.string(), lastRunAt: time.nullable() })),
  }),
  deliveries: part({
    channels: z.array(
      z.object({
        channel: z.string(),
        waiting: count,
        oldestWaitingAt: time.nullable(),
        /** Given up within the last day. */
        refused: count,
      }),
    ),
  }),
  people: part({
    organizations: count,
    users: count,
    usersWithoutTotp: count,
    administrators: count,
    administratorsWithoutTotp: count,
  }),
});
export type Installation = z.infer<typeof installation>;

export const diagnosis = z.object({
  examinedAt: time,
  status: z.enum(healthStates),
  findings: z.array(
    z.object({
      check: z.enum(doctorChecks),
      status: z.enum(healthStates),
      text: z.string(),
      /** What to do; null where it is well. */
      action: z.string().nullable(),
    }),
  ),
});
export type InstallationDiagnosis = z.infer<typeof diagnosis>;

export const installationOrganizationsQuery = z.strictObject(pageQuery);
export const installationOrganizations = pageOf(
  z.object({
    id,
    name: z.string(),
    createdAt: time,
    controllers: count,
    members: count,
    membersWithoutTotp: count,
    /** Of diagnostics. */
    archiveBytes: count,
    /** About what its measurements take; null where that could not be told, as of those in VictoriaMetrics. */
    measurementBytes: count.nullable(),
  }),
);
export type InstallationOrganizations = z.infer<typeof installationOrganizations>;

/** Runs of the server; those that have left are listed for a day. */
export const installationNodes = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      /** Where the others reach it; null of a server that is the only one. */
      address: z.string().nullable(),
      version: z.string(),
      state: z.enum(['active', 'leaving', 'left', 'lost']),
      /** Devices that are linked to it. */
      links: count,
      startedAt: time,
      /** Null while it is there. */
      leftAt: time.nullable(),
      /** That has answered this call. */
      isThis: z.boolean(),
    }),
  ),
});

export type InstallationNodes = z.infer<typeof installationNodes>;

/** The one that is being made. */
export const installationBackup = z.object({ name: z.string() });

export const jobParams = z.object({ jobId: text(20).regex(/^\d+$/, 'invalid') });
