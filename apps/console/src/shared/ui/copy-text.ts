/**
 * Copies a text. Pages served by plain http on a local network have no clipboard: there the text of `source` is
 * selected and copied by the old command. False when neither works; the text then stays selected.
 */
export async function copyText(text: string, source?: HTMLElement | null): Promise<boolean> {
  try {
    if (window.isSecureContext && navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused by the user or the browser: the selection is left.
  }
  if (!source) return false;
  const selection = window.getSelection();
  selection?.removeAllRanges();
  const range = document.createRange();
  range.selectNodeContents(source);
  selection?.addRange(range);
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  }
}
