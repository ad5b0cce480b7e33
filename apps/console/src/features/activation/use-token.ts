import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { paths } from '../../shared/paths.ts';
import { keepToken, keptToken, readToken } from './activation-token.ts';

/**
 * The token of the page: from the address, which loses it at once (it is a secret, and addresses are shown, logged
 * and shared), or as kept from before a reload or a login.
 */
export function useToken(fromAddress: string | undefined) {
  const navigate = useNavigate();
  const [token, setToken] = useState(() => (fromAddress ? readToken(fromAddress) : keptToken()));

  useEffect(() => {
    if (!fromAddress) return;
    const arrived = readToken(fromAddress);
    keepToken(arrived);
    setToken(arrived);
    void navigate({ to: paths.addController(), search: {}, replace: true });
  }, [fromAddress, navigate]);

  const change = (input: string) => {
    const read = readToken(input);
    keepToken(read);
    setToken(read);
  };
  return { token, change };
}
