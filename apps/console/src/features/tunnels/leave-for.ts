/** Leaves the console for a tunnel host, with no way back to the page that only passed on. */
export function leaveFor(url: string): void {
  window.location.replace(url);
}
