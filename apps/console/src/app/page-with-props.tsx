import type { ComponentType } from 'react';

type Loadable<Props> = ComponentType<Props> & { preload?: (() => Promise<unknown> | undefined) | undefined };

/**
 * A route's component that gives a lazily loaded page its parameters as props, so that pages know no router. The
 * router still loads the page before it shows it.
 */
export function pageWithProps<Props extends object>(Page: Loadable<Props>, useProps: () => Props) {
  const PageWithProps = () => <Page {...useProps()} />;
  // Looked up late: once it is loaded, a page has nothing to preload.
  return Object.assign(PageWithProps, { preload: async () => void (await Page.preload?.()) });
}
