import { readPreference, writePreference } from '../preferences/storage.ts';

/** A leader that went away without a word is replaced after this; hidden tabs may run timers only once a minute. */
const leaseTime = 90_000;
const renewInterval = 5_000;

export interface Leadership {
  end: () => void;
}

/**
 * Makes one tab of the browser the leader for a subject, by a lease in the storage that all tabs share. Web Locks
 * would do it better, but plain http on a local network has none. The tab last looked at takes over, as browsers
 * freeze hidden ones. Two leaders for a moment do no harm.
 */
export function lead(subject: string, onChange: (isLeader: boolean) => void): Leadership {
  const name = `lease:${subject}`;
  // Not crypto.randomUUID, which plain http has not.
  const tab = `${Date.now()}-${Math.random()}`;
  let isLeader = false;

  const set = (value: boolean) => {
    if (value === isLeader) return;
    isLeader = value;
    onChange(value);
  };
  const holder = () => {
    const [owner = '', until = '0'] = (readPreference(name) ?? '').split(' ');
    return Number(until) > Date.now() ? owner : '';
  };
  const take = () => {
    writePreference(name, `${tab} ${Date.now() + leaseTime}`);
    set(true);
  };
  const renew = () => {
    const owner = holder();
    if (owner === '' || owner === tab) take();
    else set(false);
  };
  const onVisibility = () => {
    if (document.visibilityState === 'visible') take();
  };
  const release = () => {
    if (holder() === tab) writePreference(name, '');
    set(false);
  };

  const timer = setInterval(renew, renewInterval);
  const onStorage = (event: StorageEvent) => {
    if (event.key === name) renew();
  };
  window.addEventListener('storage', onStorage);
  window.addEventListener('pagehide', release);
  window.addEventListener('pageshow', renew);
  document.addEventListener('visibilitychange', onVisibility);
  if (document.visibilityState === 'visible') take();
  else renew();

  return {
    end: () => {
      clearInterval(timer);
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('pagehide', release);
      window.removeEventListener('pageshow', renew);
      document.removeEventListener('visibilitychange', onVisibility);
      release();
    },
  };
}
