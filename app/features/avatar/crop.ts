/** The square that is cut out of a picture. Pure. */

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** What is cut out: its centre in pixels of the picture, and how far it is enlarged; at 1 the square is as large as it can be. */
export interface Crop {
  x: number;
  y: number;
  zoom: number;
}

/** So far a picture can be enlarged. */
export const MAX_ZOOM = 4;
/** Side of what is stored, in pixels: enough for the largest avatar on dense screens. */
export const STORED_SIDE = 256;

/** The middle of a picture, as much of it as goes into a square. */
export function wholeCrop({ width, height }: Size): Crop {
  return { x: width / 2, y: height / 2, zoom: 1 };
}

/** Side of the square, in pixels of the picture. */
export function sideOf({ width, height }: Size, { zoom }: Crop): number {
  return Math.min(width, height) / zoom;
}

/** The crop moved by a part of its own side, for example by half of it; it never leaves the picture. */
export function moveCrop(size: Size, crop: Crop, dx: number, dy: number): Crop {
  const side = sideOf(size, crop);
  return hold(size, { ...crop, x: crop.x + dx * side, y: crop.y + dy * side });
}

/** The crop enlarged to `zoom`, around its centre as far as the edges let it. */
export function zoomCrop(size: Size, crop: Crop, zoom: number): Crop {
  return hold(size, { ...crop, zoom: Math.min(MAX_ZOOM, Math.max(1, zoom)) });
}

function hold(size: Size, crop: Crop): Crop {
  const half = sideOf(size, crop) / 2;
  const within = (value: number, length: number) => Math.min(length - half, Math.max(half, value));
  return { ...crop, x: within(crop.x, size.width), y: within(crop.y, size.height) };
}
