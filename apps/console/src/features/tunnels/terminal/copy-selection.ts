/**
 * Puts a text on the clipboard inside a user's own gesture. Plain http on a LAN has no clipboard API: there the
 * old way works, by answering the `copy` event ourselves, which leaves focus and selection where they are.
 */
export function copySelection(text: string): void {
  if (!text) return;
  if (navigator.clipboard) {
    // Refused without focus or permission: nothing to tell, the selection is still there to copy by keys.
    navigator.clipboard.writeText(text).catch(() => copyByEvent(text));
    return;
  }
  copyByEvent(text);
}

function copyByEvent(text: string): void {
  const answer = (event: ClipboardEvent) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', answer, { capture: true, once: true });
  document.execCommand?.('copy');
  document.removeEventListener('copy', answer, { capture: true });
}
