import { vi } from 'vitest';
import type { MapLibreMap } from '../maplibre.ts';

type Listener = (event: object) => void;

/** A map of 400 × 200 pixels without WebGL, which the page of the tests has not. */
export class FakeMap {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #container = document.createElement('div');
  readonly fitBounds = vi.fn();
  zoom = 2;
  center = { lat: 0, lng: 0 };

  constructor() {
    Object.defineProperties(this.#container, { clientWidth: { value: 400 }, clientHeight: { value: 200 } });
  }

  /** As what it stands for; whoever uses more of that fails. */
  get asMap(): MapLibreMap {
    return this as unknown as MapLibreMap;
  }
  on(name: string, listener: Listener) {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return { unsubscribe: () => void listeners.delete(listener) };
  }
  tell(name: string): void {
    for (const listener of this.#listeners.get(name) ?? []) listener({});
  }
  countListeners(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }
  getZoom = () => this.zoom;
  getCenter = () => this.center;
  getContainer = () => this.#container;
}
