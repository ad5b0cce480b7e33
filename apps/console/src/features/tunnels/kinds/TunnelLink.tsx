import { Link } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { paths } from '../../../shared/paths.ts';
import type { ConsoleTunnelKind } from './index.ts';

interface Props extends Omit<ComponentProps<'a'>, 'href'> {
  tunnel: ConsoleTunnelKind;
  serialNumber: string;
}

/** Leads to a tunnel; what a button of Mantine takes for its `component`. */
export function TunnelLink({ tunnel, serialNumber, children, ...props }: Props) {
  const address = paths.connect(tunnel.name, serialNumber);
  return tunnel.opensTab ? (
    <a {...props} href={address} target="_blank" rel="noopener">
      {children}
    </a>
  ) : (
    <Link {...props} to={address}>
      {children}
    </Link>
  );
}
