/** What an upstream gets to see and to set of a browser's cookies. */
export interface CookieFilter {
  /** The Cookie header as the upstream gets it; undefined when nothing is left of it. */
  toUpstream(header: string): string | undefined;
  /** A Set-Cookie of the upstream as the browser gets it; undefined for one that it may not have. */
  toBrowser(setCookie: string): string | undefined;
}

/** Cookies that the browser has under another name than the upstream. */
export interface Renaming {
  /** Stands before the upstream's own name. */
  marker: string;
  concerns(name: string): boolean;
  /** Scripts in the browser shall not read them. */
  areHidden: boolean;
}

/** Any cookie name that is ours, wherever. */
const ownName = /^(__host-|__secure-)?pult_/i;

/**
 * Keeps our cookies, and those that `isReserved` names, from an upstream in both directions. `isSecure`: browsers reach
 * it by https.
 */
export function createCookieFilter({
  isReserved,
  isSecure,
  renaming,
}: {
  isReserved?: (name: string) => boolean;
  isSecure: boolean;
  renaming?: Renaming;
}): CookieFilter {
  const isKept = (name: string) => !ownName.test(name) && !isReserved?.(name);
  return {
    toUpstream(header) {
      const kept: string[] = [];
      for (const pair of header.split(';').map((part) => part.trim())) {
        const name = pair.split('=')[0]?.trim() ?? '';
        if (renaming && name.startsWith(renaming.marker)) kept.push(pair.slice(renaming.marker.length));
        else if (name !== '' && isKept(name)) kept.push(pair);
      }
      return kept.length > 0 ? kept.join('; ') : undefined;
    },

    toBrowser(setCookie) {
      const [pair = '', ...attributes] = setCookie.split(';');
      // A cookie without a name is sent back as its value alone, which may look like one of ours.
      const name = /^[\s=]*([^=;\s]*)/.exec(pair)?.[1] ?? '';
      if (!isKept(name)) return undefined;
      const kept = attributes.filter((attribute) => mayKeep(attribute, isSecure));
      if (!renaming?.concerns(name)) return [pair, ...kept].join(';');
      const isNamed = /^\s*[^\s=][^=]*=/.test(pair);
      if (!isNamed) return undefined;
      const isHidden = kept.some((attribute) => /^\s*httponly\s*$/i.test(attribute));
      if (renaming.areHidden && !isHidden) kept.push(' HttpOnly');
      return [renaming.marker + pair.trim(), ...kept].join(';');
    },
  };
}

/**
 * Host-only: no upstream may set a cookie for its siblings or for the console. And what browsers take over https alone
 * would be lost where the host is plain, though the upstream is not.
 */
function mayKeep(attribute: string, isSecure: boolean): boolean {
  const [name = '', value = ''] = attribute.split('=').map((part) => part.trim().toLowerCase());
  if (name === 'domain') return false;
  return (
    isSecure || !(name === 'secure' || name === 'partitioned' || (name === 'samesite' && value === 'none'))
  );
}
