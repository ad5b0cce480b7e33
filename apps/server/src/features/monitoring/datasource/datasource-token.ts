import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** What opens the data source of one organization, and no other. */
export interface DatasourceTokens {
  create(organizationId: string): string;
  /** The organization that HTTP's basic authentication names, when its password is that organization's token. */
  verify(authorization: string | undefined): string | undefined;
}

/**
 * Tokens follow from the server's own key, so that none is stored here and the same one is told to Grafana again and
 * again. `key`: secrets.encryptionKey.
 */
export function createDatasourceTokens(key: Buffer): DatasourceTokens {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'pult grafana data source', 32));
  const digest = (organizationId: string) => createHmac('sha256', own).update(organizationId).digest();

  return {
    create: (organizationId) => digest(organizationId).toString('base64url'),
    verify(authorization) {
      const encoded = /^Basic ([A-Za-z0-9+/=]{1,400})$/i.exec(authorization ?? '')?.[1];
      if (encoded === undefined) return undefined;
      const text = Buffer.from(encoded, 'base64').toString();
      const colon = text.indexOf(':');
      const organizationId = text.slice(0, Math.max(colon, 0));
      const given = Buffer.from(text.slice(colon + 1), 'base64url');
      const expected = digest(organizationId);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return organizationId;
    },
  };
}
