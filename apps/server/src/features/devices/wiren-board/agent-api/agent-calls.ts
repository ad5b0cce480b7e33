import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { DomainError } from '../../../../platform/errors.ts';
import type { Logger } from '../../../../platform/log.ts';
import type { SentArchive } from '../../cluster/sent-archives.ts';
import type { DetachDevice } from '../../detach-device.ts';
import type { Enrolment, EnrolmentState } from '../../enrolments.repository.ts';
import type { EnrolmentsService } from '../../enrolments.service.ts';
import type { DeviceEvents } from './device-events.ts';
import { readBody } from './read-body.ts';

/** An answer to an agent: a body of an object, or none. */
export interface AgentAnswer {
  status: 200 | 204;
  body?: object;
}

export interface AgentCall {
  enrolment: Enrolment;
  claim: EnrolmentState;
  request: IncomingMessage;
  /** The client's. */
  address: string;
  /** Of the path: what stands for the id of an event. */
  id: string;
}

interface Dependencies {
  enrolments: Pick<EnrolmentsService, 'createActivationLink' | 'updateReported'>;
  events: DeviceEvents;
  /** Takes an archive, or that there will be none, for whoever waits for it. */
  takeDiagnostics(enrolment: Enrolment, sent: SentArchive): Promise<void>;
  log: Logger;
  detach: DetachDevice;
}

const deviceDataBytes = 16 * 1024;
/** 256 kB of a journal in JSON that writes each letter of Cyrillic as six. */
const logBytes = 1024 * 1024;

/** One printable line, as a page shows it. Anything else is as if it had not been said: an agent that is refused here never gets to its polls. */
const line = z
  .string()
  .max(200)
  .regex(/^[\p{L}\p{N}\p{P}\p{S} ]*$/u)
  .transform((text) => text.trim().slice(0, 60))
  .optional()
  .catch(undefined);
const deviceDataSchema = z.object({ agent_version: line, hardware_revision: line });
const diagnosticStatusSchema = z.object({ status: z.string().max(64) });
const collectorLogSchema = z.object({ reason: z.string().default(''), log: z.string().default('') });

async function readJson<T extends z.ZodType>(
  schema: T,
  request: IncomingMessage,
  maxBytes: number,
): Promise<z.output<T>> {
  const text = await readBody(request, maxBytes);
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new DomainError('invalid_request'); // an agent's developer sees it, no user
  }
}

/** What an agent asks, by method and path below /api-agent/v1/; `{id}` is the one of an event. */
export function createAgentCalls({ enrolments, events, takeDiagnostics, log, detach }: Dependencies) {
  const calls: Readonly<Record<string, (call: AgentCall) => Promise<AgentAnswer>>> = {
    async 'GET agent-start-up'({ enrolment, claim }) {
      if (claim.shown !== null) return { status: 200, body: { activated: true, activationLink: null } };
      const activationLink = enrolments.createActivationLink(enrolment);
      await events.noteActivationLink(enrolment, activationLink);
      return { status: 200, body: { activated: false, activationLink } };
    },

    async 'PUT update_device_data'({ enrolment, request }) {
      const data = await readJson(deviceDataSchema, request, deviceDataBytes);
      const reported = {
        model: data.hardware_revision ? `${modelName} ${data.hardware_revision}` : enrolment.model,
        firmwareVersion: enrolment.firmware_version,
        agentVersion: data.agent_version ?? enrolment.agent_version,
      };
      const isKnown = reported.model === enrolment.model && reported.agentVersion === enrolment.agent_version;
      if (!isKnown) await enrolments.updateReported(enrolment, reported);
      return { status: 200, body: {} };
    },

    async 'GET events'({ claim }) {
      const event = await events.next(claim);
      return event ? { status: 200, body: event } : { status: 204 };
    },

    /** Also of one that was confirmed before, or is nobody's: it would be asked for ever. */
    async 'POST events/{id}/confirm'({ enrolment, id }) {
      await events.confirm(enrolment, id);
      return { status: 204 };
    },

    /** It is sent once, and gone there whatever is answered. */
    async 'POST upload-diagnostic'({ enrolment, request }) {
      const contentType = request.headers['content-type'] ?? '';
      await takeDiagnostics(enrolment, { body: request, contentType });
      return { status: 200, body: {} };
    },

    async 'PUT diagnostic-status'({ enrolment, request }) {
      const { status } = await readJson(diagnosticStatusSchema, request, deviceDataBytes);
      // The one word that any version has.
      if (status === 'error') await takeDiagnostics(enrolment, undefined);
      return { status: 200, body: {} };
    },

    /** Its owner has told the agent to leave. The controller stays, detached: who deletes it are its people here. */
    async 'DELETE delete-controller'({ enrolment, address }) {
      if (await detach(enrolment, address)) await events.forget(enrolment);
      return { status: 204 };
    },

    async 'POST metrics-collector-log'({ enrolment, request }) {
      const { reason, log: text } = await readJson(collectorLogSchema, request, logBytes);
      const lines = text.slice(-2000);
      log.info(
        { serialNumber: enrolment.serial_number, reason: reason.slice(0, 200), lines },
        'metrics collector',
      );
      return { status: 200, body: {} };
    },
  };
  return calls;
}

/** What a controller is shown as until it tells its revision. */
export const modelName = 'Wiren Board';
