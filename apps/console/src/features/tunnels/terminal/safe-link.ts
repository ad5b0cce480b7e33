/**
 * The address of a link in a terminal's output if it may be opened. The output belongs to the device, so a link
 * may only lead to a web page: never `javascript:`, `data:`, `file:` or an application's own scheme.
 */
export function safeLink(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined;
  try {
    const url = new URL(text);
    // A name before the host (https://bank.example@evil.example) is only ever there to deceive.
    return url.username || url.password ? undefined : url.href;
  } catch {
    return undefined;
  }
}

/** Opens it in a tab that knows nothing of this one. */
export function openLink(text: string): void {
  const address = safeLink(text);
  if (address) window.open(address, '_blank', 'noopener,noreferrer');
}
