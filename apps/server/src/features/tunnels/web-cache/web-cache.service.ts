import type { WebCacheSettings } from '@pult/contract';
import type { ControllerCaller } from '../../../platform/access/index.ts';
import type { Core } from '../../../platform/core.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { SavedBytes } from './saved-bytes.ts';
import type { WebCacheRepository, WebCacheRow } from './web-cache.repository.ts';

interface Dependencies {
  repository: WebCacheRepository;
  saved: SavedBytes;
  /** Whether this server keeps answers at all. */
  isAvailable: boolean;
}

/** The switch of the web cache for one controller, and what it has saved. Whoever may edit a controller may switch it. */
export function createWebCacheService(
  { db, events }: Core,
  { repository, saved, isAvailable }: Dependencies,
) {
  const view = ({ controllerId, enabled, savedBytes }: WebCacheRow): WebCacheSettings => ({
    enabled,
    isAvailable,
    savedBytes: savedBytes + saved.unwritten(controllerId),
  });

  return {
    async get({ scope, controller: { serialNumber } }: ControllerCaller): Promise<WebCacheSettings> {
      await saved.flush();
      const row = await repository.get(scope, serialNumber);
      if (!row) throw new DomainError('controller_not_found', { serialNumber });
      return view(row);
    },

    /** Off: what is kept is forgotten, and nothing is kept any more. */
    async update(caller: ControllerCaller, { enabled }: { enabled: boolean }): Promise<WebCacheSettings> {
      const { serialNumber } = caller.controller;
      await saved.flush();
      const row = await db.transaction().execute(async (transaction) => {
        const found = await repository.get(caller.scope, serialNumber, transaction);
        if (!found) throw new DomainError('controller_not_found', { serialNumber });
        if (found.enabled === enabled) return found;
        await repository.setEnabled(transaction, found, enabled);
        const { organizationId } = found;
        await caller.audit(
          enabled ? 'web_cache.enabled' : 'web_cache.disabled',
          { organizationId },
          transaction,
        );
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
