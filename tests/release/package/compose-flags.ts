import { parse } from 'yaml';

type Flag = (value: never) => readonly string[];
const each = (name: string) => (values: readonly string[]) => values.map((value) => `--${name}=${value}`);

/** What `podman run` takes in place of each key; empty where the test has its own: name, settings, network, limits of this machine. */
const flags: Record<string, Flag> = {
  image: () => [],
  env_file: () => [],
  restart: () => [],
  ports: () => [],
  ulimits: () => [],
  volumes: each('volume'),
  tmpfs: each('tmpfs'),
  cap_drop: each('cap-drop'),
  security_opt: each('security-opt'),
  // Compose makes no folder writable by itself, as podman would.
  read_only: (isReadOnly: boolean) => [`--read-only=${isReadOnly}`, '--read-only-tmpfs=false'],
  shm_size: (size: string) => [`--shm-size=${size}`],
  stop_grace_period: (period: string) => [`--stop-timeout=${Number.parseInt(period, 10)}`],
};

/** The service of a compose file as `podman run` takes it. A key that is not known here is an error. */
export function readComposeFlags(text: string): string[] {
  const service: Record<string, never> = parse(text).services.pult;
  return Object.entries(service).flatMap(([key, value]) => {
    const flag = flags[key];
    if (!flag) throw new Error(`the compose file says ${key}, which the test does not know`);
    return flag(value);
  });
}
