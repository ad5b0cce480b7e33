import type { WebCacheSettings } from '@pult/contract';
import type { RecordAuditEvent } from '../../../../platform/audit.ts';
import type { Database } from '../../../../platform/db/schema.ts';
import { DomainError } from '../../../../platform/errors.ts';
import type { Events } from '../../../../platform/events/events.ts';
import type { Principal } from '../../../../platform/http/principal.ts';
import type { ControllersService } from '../../../controllers/index.ts';
import { createScope } from '../../../organizations/index.ts';
import type { SavedBytes } from './saved-bytes.ts';
import type { WebCacheRepository, WebCacheRow } from './web-cache.repository.ts';

interface Dependencies {
  db: Database;
  repository: WebCacheRepository;
  controllers: Pick<ControllersService, 'requirePermission'>;
  saved: SavedBytes;
  /** Whether this server keeps answers at all. */
  isAvailable: boolean;
  events: Events;
  recordAudit: RecordAuditEvent;
}

/** The switch of the web cache for one controller, and what it has saved. Whoever may edit a controller may switch it. */
export function createWebCacheService(dependencies: Dependencies) {
  const { db, repository, controllers, saved, isAvailable, events, recordAudit } = dependencies;

  const view = ({ controllerId, enabled, savedBytes }: WebCacheRow): WebCacheSettings => ({
    enabled,
    isAvailable,
    savedBytes: savedBytes + saved.unwritten(controllerId),
  });

  return {
    async get(principal: Principal, serialNumber: string): Promise<WebCacheSettings> {
      await controllers.requirePermission(principal, serialNumber, 'controllers.read');
      await saved.flush();
      const row = await repository.get(createScope(principal, 'controllers.read'), serialNumber);
      if (!row) throw new DomainError('controller_not_found', { serialNumber });
      return view(row);
    },

    /** Off: what is kept is forgotten, and nothing is kept any more. */
    async update(
      principal: Principal,
      { serialNumber, address }: { serialNumber: string; address: string },
      { enabled }: { enabled: boolean },
    ): Promise<WebCacheSettings> {
      await controllers.requirePermission(principal, serialNumber, 'controllers.update');
      const scope = createScope(principal, 'controllers.update');
      await saved.flush();
      const row = await db.transaction().execute(async (transaction) => {
        const found = await repository.get(scope, serialNumber, transaction);
        if (!found) throw new DomainError('controller_not_found', { serialNumber });
        if (found.enabled === enabled) return found;
        await repository.setEnabled(transaction, found, enabled);
        const { userId } = principal;
        const { organizationId } = found;
        const action = enabled ? 'web_cache.enabled' : 'web_cache.disabled';
        await recordAudit({ action, userId, organizationId, subject: serialNumber, address }, transaction);
        return { ...found, enabled };
      });
      events.publish('webCacheSwitched', { controllerId: row.controllerId });
      const { organizationId } = row;
      events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
      return view(row);
    },
  };
}
export type WebCacheService = ReturnType<typeof createWebCacheService>;
