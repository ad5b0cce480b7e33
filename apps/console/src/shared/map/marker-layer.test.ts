import { expect, test } from 'vitest';
import { createMarkerLayer } from './marker-layer.ts';
import { FakeMap } from './testing/fake-map.ts';

/** Pixels of the world's side at the fake map's zoom of 2. */
const world = 2048;

function make() {
  const map = new FakeMap();
  const layer = document.createElement('div');
  const markers = createMarkerLayer(map.asMap, layer);
  const shiftOf = (element: HTMLElement) => {
    const [, x, y] = /translate\((.+)px, (.+)px\)/.exec(element.style.transform) ?? [];
    return [Number(x), Number(y)];
  };
  const add = (latitude: number, longitude: number) => {
    const element = document.createElement('div');
    const remove = markers.add(element, { latitude, longitude });
    return { element, remove, shift: () => shiftOf(element) };
  };
  return { map, markers, add, layerShift: () => shiftOf(layer) };
}

test('a marker stands over its place, counted from the middle of the view', () => {
  const { add, layerShift } = make();
  expect(layerShift()).toEqual([200, 100]);
  const [x, y] = add(0, 90).shift();
  expect(x).toBeCloseTo(world / 4);
  expect(y).toBeCloseTo(0);
  const north = add(66.5132604, 0).shift();
  expect(north[0]).toBeCloseTo(0);
  expect(north[1]).toBeCloseTo(-world / 4, 3);
});

test('a marker beyond the poles of a web map stands at its edge', () => {
  const { add } = make();
  expect(add(90, 0).shift()[1]).toBeCloseTo(-world / 2, 1);
  expect(add(-90, 0).shift()[1]).toBeCloseTo(world / 2, 1);
});

test('a map that is dragged moves all markers as one', () => {
  const { map, add, layerShift } = make();
  const marker = add(0, 90);
  map.center = { lat: 0, lng: 45 };
  map.tell('move');
  expect(layerShift()[0]).toBeCloseTo(200 - world / 8);
  expect(marker.shift()[0]).toBeCloseTo(world / 4);
});

test('a map that zooms places each marker anew', () => {
  const { map, add, layerShift } = make();
  const marker = add(0, 90);
  map.zoom = 3;
  map.tell('move');
  expect(marker.shift()[0]).toBeCloseTo(world / 2);
  expect(layerShift()).toEqual([200, 100]);
});

test('a map that has come to rest beyond 180° shows the marker of the nearest copy of the world', () => {
  const { map, add } = make();
  const marker = add(0, -170);
  map.center = { lat: 0, lng: 170 };
  map.tell('moveend');
  expect(marker.shift()[0]).toBeCloseTo((world * 20) / 360);
});

test('a map of another size keeps its markers over their places', () => {
  const { map, layerShift } = make();
  map.center = { lat: 0, lng: -45 };
  map.tell('resize');
  expect(layerShift()[0]).toBeCloseTo(200 + world / 8);
});

test('a marker that was taken away is not placed any more, and a layer that has ended listens to nothing', () => {
  const { map, markers, add } = make();
  const [gone, kept] = [add(0, 90), add(0, 90)];
  gone.remove();
  map.zoom = 3;
  map.tell('move');
  expect([gone.shift()[0], kept.shift()[0]]).toEqual([world / 4, world / 2]);
  markers.end();
  expect(map.countListeners()).toBe(0);
});
