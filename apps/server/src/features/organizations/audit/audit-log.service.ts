import { type AuditAction, type AuditEvent, lifetimes } from '@pult/contract';
import type { OrganizationCaller, Scope } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import { FieldError } from '../../../platform/errors.ts';
import { toPage } from '../../../platform/http/pages.ts';
import type {
  AuditFilters,
  AuditLogRepository,
  AuditPosition,
  RecordedEvent,
} from './audit-log.repository.ts';

export interface AuditQuery {
  action?: readonly AuditAction[] | undefined;
  user?: string | undefined;
  subject?: string | undefined;
  /** RFC 3339. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Events held in memory at once, however many there are. */
const partSize = 500;

function toFilters({ from, to, ...query }: AuditQuery): AuditFilters {
  const period = {
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
  if (period.from && period.to && period.from > period.to) throw new FieldError('from', 'period_reversed');
  return { ...query, ...period };
}

/** What an event names that may be a serial number: its subject, and those that a move was about. */
function namesIn({ subject, details }: RecordedEvent): string[] {
  const { controllers } = details;
  return [subject, ...(typeof controllers === 'string' ? controllers.split(', ') : [])];
}

/** What happened in an organization, for its admins. */
export function createAuditLogService(
  { access, clock }: Core,
  { repository }: { repository: AuditLogRepository },
) {
  const withExisting = async (
    scope: Scope,
    organizationId: string,
    events: readonly RecordedEvent[],
  ): Promise<AuditEvent[]> => {
    const named = [...new Set(events.flatMap(namesIn))];
    const existing = new Set(await repository.listExistingControllers(scope, organizationId, named));
    return events.map((event) => ({
      ...event,
      existingControllers: [...new Set(namesIn(event))].filter((name) => existing.has(name)),
    }));
  };

  return {
    async listEvents(
      { scope, organization: { id: organizationId } }: OrganizationCaller,
      query: AuditQuery & { page?: number | undefined; page_size?: number | undefined },
    ) {
      const { page: number, page_size: size, ...asked } = query;
      const filters = toFilters(asked);
      const page = toPage({ page: number, page_size: size });
      const [events, count] = await Promise.all([
        repository.listEvents(scope, organizationId, filters, page),
        repository.countEvents(scope, organizationId, filters),
      ]);
      return { page, count, results: await withExisting(scope, organizationId, events) };
    },

    /** The newest. */
    async listLatest(
      { scope, organization: { id: organizationId } }: OrganizationCaller,
      limit: number,
    ): Promise<AuditEvent[]> {
      const events = await repository.listEvents(scope, organizationId, {}, { limit, offset: 0 });
      return withExisting(scope, organizationId, events);
    },

    /**
     * All matching events, newest first, in parts. Each part asks anew whether the reader still may: who loses
     * the right meanwhile gets no more, and an error instead of what looks like the end.
     */
    async exportEvents(
      { principal, scope, organization: { id: organizationId } }: OrganizationCaller,
      query: AuditQuery,
    ): Promise<AsyncIterable<RecordedEvent[]>> {
      const filters = toFilters(query);
      const place = { kind: 'organization', id: organizationId, at: 'anywhere' } as const;
      const requireReader = () => access.resolve(principal, 'audit.read', place);
      return (async function* () {
        let after: AuditPosition | undefined;
        for (;;) {
          await requireReader();
          const part = { after, limit: partSize };
          const events = await repository.listEventsAfter(scope, organizationId, filters, part);
          // The right may have gone between the question and the reading, which then finds nothing.
          if (events.length < partSize) await requireReader();
          yield events;
          const last = events.at(-1);
          if (!last || events.length < partSize) return;
          after = { at: new Date(last.at), id: last.id };
        }
      })();
    },

    /** Run by a job every day. */
    deleteForgotten: () =>
      repository.deleteBefore(new Date(clock.now().getTime() - lifetimes.auditEvent * 1000)),
  };
}
export type AuditLogService = ReturnType<typeof createAuditLogService>;
