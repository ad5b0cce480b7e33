import { expect, it, vi } from 'vitest';
import { closeServer } from './close-server.ts';
import { Events } from './platform/events/events.ts';
import type { Feature } from './platform/feature.ts';
import { createLog } from './platform/log.ts';

const log = createLog('silent');
const never = () => new Promise<void>(() => {});

/** What a close would close, with everything it did in its order. */
function createParts(features: readonly Feature[], steps: string[]) {
  const events = new Events(log);
  events.subscribe('serverStopping', () => steps.push('serverStopping'));
  let endAnswers = () => {};
  const idle = new Promise<void>((resolve) => {
    endAnswers = resolve;
  });
  const parts = {
    features,
    events,
    log,
    app: {
      close: async () => {
        steps.push('app closes');
        await vi.waitFor(() => expect(steps).toContain('connections are cut'));
      },
    },
    hostServer: {
      refuseReuse: () => void steps.push('reuse is refused'),
      whenIdle: () => idle,
      cutAll: () => void steps.push('connections are cut'),
    },
    writeGraceMs: 50,
  };
  // Fastify's close answers with more types than its callers use.
  return { parts: parts as unknown as Parameters<typeof closeServer>[0], endAnswers: () => endAnswers() };
}

function createFeature(name: string, steps: string[]): Feature {
  return {
    name,
    drain: () => void steps.push(`${name} drains`),
    whenIdle: async () => void steps.push(`${name} is waited for`),
    stop: () => void steps.push(`${name} stops`),
  };
}

it('runs its phases in order, and each from the last feature to the first', async () => {
  const steps: string[] = [];
  const { parts, endAnswers } = createParts(
    ['links', 'tunnels'].map((name) => createFeature(name, steps)),
    steps,
  );
  const closed = closeServer(parts, 60_000);
  await vi.waitFor(() => expect(steps).toContain('links is waited for'));
  expect(steps).toEqual([
    'tunnels drains',
    'links drains',
    'reuse is refused',
    'serverStopping',
    'app closes',
    'tunnels is waited for',
    'links is waited for',
  ]);
  endAnswers();
  await closed;
  expect(steps.slice(7)).toEqual(['tunnels stops', 'links stops', 'connections are cut']);
});

it.each(['drain', 'whenIdle', 'stop'] as const)(
  'lets no feature that hangs in %s hold it beyond its graces',
  async (phase) => {
    const steps: string[] = [];
    const hanging: Feature = { ...createFeature('hanging', steps), [phase]: never };
    const { parts, endAnswers } = createParts([createFeature('sound', steps), hanging], steps);
    endAnswers();
    const begun = performance.now();
    await closeServer(parts, 50);
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(steps).toEqual(expect.arrayContaining(['sound drains', 'sound stops', 'connections are cut']));
  },
);

it.each(['drain', 'whenIdle', 'stop'] as const)(
  'goes on with the others when a feature fails in %s, and logs which it was',
  async (phase) => {
    const steps: string[] = [];
    const failure = new Error('no database');
    const failing: Feature = {
      ...createFeature('failing', steps),
      [phase]: () => {
        throw failure;
      },
    };
    const { parts, endAnswers } = createParts([createFeature('sound', steps), failing], steps);
    const error = vi.spyOn(log, 'error');
    endAnswers();
    await closeServer(parts, 60_000);
    expect(steps).toEqual(expect.arrayContaining(['sound drains', 'sound stops', 'connections are cut']));
    expect(error).toHaveBeenCalledExactlyOnceWith(
      { err: failure, feature: 'failing', phase },
      expect.any(String),
    );
    error.mockRestore();
  },
);
