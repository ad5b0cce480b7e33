import { useRouter } from '@tanstack/react-router';

export type Go = (to: string, search?: Record<string, string>) => void;

/** Leaves for a page of the console, and the palette with it. */
export function useGo(close: () => void): Go {
  const router = useRouter();
  return (to, search = {}) => {
    close();
    void router.navigate({ to, search });
  };
}
