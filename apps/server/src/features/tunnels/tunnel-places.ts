import { createPlaces } from '../../platform/places.ts';

/** Things that may be open at once: requests, WebSockets, terminals, streams and channels. */
export interface TunnelLimits {
  perUser: number;
  perController: number;
  inAll: number;
}

/** A browser opens six connections to a host; a page with its WebSockets in a few tabs, on a few controllers, is far below. */
const defaults: TunnelLimits = { perUser: 500, perController: 500, inAll: 10_000 };

/** Gives out places by user, by controller and in all. */
export function createTunnelPlaces({ perUser, perController, inAll }: TunnelLimits = defaults) {
  const users = createPlaces(perUser);
  const controllers = createPlaces(perController);
  const all = createPlaces(inAll);
  return {
    /** The returned function gives the place back, once. Undefined when there is none. */
    take({ userId, controllerId }: { userId: string; controllerId: string | undefined }) {
      const taken: (() => void)[] = [];
      const leave = () => {
        for (const giveBack of taken.splice(0)) giveBack();
      };
      const wanted = [
        () => users.take(userId),
        () => (controllerId === undefined ? () => {} : controllers.take(controllerId)),
        () => all.take(''),
      ];
      for (const take of wanted) {
        const giveBack = take();
        if (!giveBack) {
          leave();
          return undefined;
        }
        taken.push(giveBack);
      }
      return leave;
    },
  };
}
