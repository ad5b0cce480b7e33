/** What a device gets to see and to set of a browser's cookies. */
export interface DeviceCookies {
  /** The Cookie header as the device gets it; undefined when nothing is left of it. */
  toDevice(header: string): string | undefined;
  /** A Set-Cookie of the device as the browser gets it; undefined for one that it may not have. */
  toBrowser(setCookie: string): string | undefined;
}

/** Cookies that the browser has under another name than the device. */
export interface Renaming {
  /** Stands before the device's own name. */
  marker: string;
  concerns(name: string): boolean;
  /** Scripts in the browser shall not read them. */
  areHidden: boolean;
}

/** `isOwn`: a cookie name of ours, which a device neither sees nor sets. */
export function createDeviceCookies({
  isOwn,
  isSecure,
  renaming,
}: {
  isOwn: (name: string) => boolean;
  isSecure: boolean;
  renaming?: Renaming;
}): DeviceCookies {
  return {
    toDevice(header) {
      const kept: string[] = [];
      for (const pair of header.split(';').map((part) => part.trim())) {
        const name = pair.split('=')[0]?.trim() ?? '';
        if (renaming && name.startsWith(renaming.marker)) kept.push(pair.slice(renaming.marker.length));
        else if (name !== '' && !isOwn(name)) kept.push(pair);
      }
      return kept.length > 0 ? kept.join('; ') : undefined;
    },

    toBrowser(setCookie) {
      const [pair = '', ...attributes] = setCookie.split(';');
      // A cookie without a name is sent back as its value alone, which may look like one of ours.
      const name = /^[\s=]*([^=;\s]*)/.exec(pair)?.[1] ?? '';
      if (isOwn(name)) return undefined;
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
 * Host-only: no device may set a cookie for its siblings or for the console. And what browsers take over https alone
 * would be lost where the tunnel is plain, though the device is not.
 */
function mayKeep(attribute: string, isSecure: boolean): boolean {
  const [name = '', value = ''] = attribute.split('=').map((part) => part.trim().toLowerCase());
  if (name === 'domain') return false;
  return (
    isSecure || !(name === 'secure' || name === 'partitioned' || (name === 'samesite' && value === 'none'))
  );
}
