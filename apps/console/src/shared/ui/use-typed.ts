import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

interface Options {
  /** The field may go before the pause, as one of a menu does: what was typed last is told all the same. */
  isFleeting?: boolean;
}

/** What somebody types, which `onChange` is told a moment after each pause. */
export function useTyped(value: string, onChange: (text: string) => void, { isFleeting }: Options = {}) {
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const tell = useDebouncedCallback(
    (text: string) => {
      told.current = text;
      onChange(text);
    },
    { delay: 250, flushOnUnmount: isFleeting === true },
  );

  // The address changed by itself (back, "clear filters"): what is typed follows.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);

  const type = (text: string) => {
    setTyped(text);
    tell(text);
  };
  return { typed, type };
}
