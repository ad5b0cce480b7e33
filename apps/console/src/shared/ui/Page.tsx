import { Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { organizationQuery } from '../api/queries.ts';
import { readBrand, separator, useDocumentTitle } from '../page/title.ts';
import classes from './page.module.css';

interface Props {
  title: string;
  /** Instead of the plain title, where it has more than text (a status, a serial number to copy). */
  heading?: ReactNode;
  /** What lies above, as a small line over the title. */
  eyebrow?: ReactNode;
  actions?: ReactNode;
  /** `full`: all that the window has, for lists and maps. All others end at 1440 px; all begin at the same place. */
  width?: 'page' | 'full';
  children: ReactNode;
}

/** The shape of every page inside the shell: document title (with the organization), heading, actions, content. */
export function Page({ title, heading, eyebrow, actions, width = 'page', children }: Props) {
  const organization = useOpenOrganization();
  useDocumentTitle(
    organization === undefined || organization === readBrand() ? title : title + separator + organization,
  );
  return (
    <div className={classes.page} data-width={width}>
      <header className={classes.header}>
        <div className={classes.heading}>
          {eyebrow ? <div className={classes.eyebrow}>{eyebrow}</div> : null}
          {heading ?? <Title order={1}>{title}</Title>}
        </div>
        {actions ? <div className={classes.actions}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

/** The name of the one that the address names: tabs of two of them look alike otherwise. The shell has asked for it. */
function useOpenOrganization(): string | undefined {
  const { organizationId = '' } = useParams({ strict: false });
  return useQuery({ ...organizationQuery(organizationId), enabled: false }).data?.name;
}
