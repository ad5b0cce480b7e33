import { type ComponentProps, useCallback } from 'react';
import { type TabHandle, type TabStatus, TerminalTab } from './TerminalTab.tsx';

interface Props extends Omit<ComponentProps<typeof TerminalTab>, 'ref' | 'onStatus'> {
  id: number;
  handles: Map<number, TabHandle>;
  onStatus: (id: number, status: TabStatus) => void;
}

/** A tab that the page knows by its number. */
export function StatusTab({ id, handles, onStatus, ...props }: Props) {
  const keep = useCallback(
    (handle: TabHandle | null) => {
      if (handle) handles.set(id, handle);
      else handles.delete(id);
    },
    [id, handles],
  );
  const tell = useCallback((status: TabStatus) => onStatus(id, status), [id, onStatus]);
  return <TerminalTab ref={keep} onStatus={tell} {...props} />;
}
