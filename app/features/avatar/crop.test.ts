import { describe, expect, it } from 'vitest';
import { fullCrop, MAX_ZOOM, moveCrop, sideOf, zoomCrop } from './crop.ts';

const WIDE = { width: 400, height: 200 };
const full = fullCrop(WIDE);

describe('a crop', () => {
  it('starts centred with the maximum size', () => {
    expect(full).toEqual({ x: 200, y: 100, zoom: 1 });
    expect(sideOf(WIDE, full)).toBe(200);
  });

  it.each([
    [0.25, 0, 250, 100],
    [-0.25, 0, 150, 100],
    [9, 9, 300, 100],
    [-9, -9, 100, 100],
  ])('moves by %d and %d of its side to the centre %d, %d', (dx, dy, x, y) => {
    expect(moveCrop(WIDE, full, dx, dy)).toEqual({ x, y, zoom: 1 });
  });

  it('zooms around its centre up to the maximum', () => {
    const close = zoomCrop(WIDE, full, 2);
    expect(close).toEqual({ x: 200, y: 100, zoom: 2 });
    expect(sideOf(WIDE, close)).toBe(100);
    expect(zoomCrop(WIDE, full, 99).zoom).toBe(MAX_ZOOM);
    expect(zoomCrop(WIDE, full, 0).zoom).toBe(1);
  });

  it('stays within the image when zooming out', () => {
    const corner = moveCrop(WIDE, zoomCrop(WIDE, full, 4), 9, 9);
    expect(corner).toEqual({ x: 375, y: 175, zoom: 4 });
    expect(zoomCrop(WIDE, corner, 1)).toEqual({ x: 300, y: 100, zoom: 1 });
  });
});
