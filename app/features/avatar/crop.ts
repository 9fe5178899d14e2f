/** The square crop of an image. Pure. */

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The crop: its centre in pixels of the image, and its zoom; at 1 the square has the maximum size. */
export interface Crop {
  x: number;
  y: number;
  zoom: number;
}

/** Maximum zoom. */
export const MAX_ZOOM = 4;
/** Side of the stored image in pixels: enough for the largest avatar on high-density screens. */
export const STORED_SIDE = 256;

/** Returns the largest centred square. */
export function fullCrop({ width, height }: Size): Crop {
  return { x: width / 2, y: height / 2, zoom: 1 };
}

/** Returns the side of the square, in pixels of the image. */
export function sideOf({ width, height }: Size, { zoom }: Crop): number {
  return Math.min(width, height) / zoom;
}

/** Moves the crop by a fraction of its side, within the image. */
export function moveCrop(size: Size, crop: Crop, dx: number, dy: number): Crop {
  const side = sideOf(size, crop);
  return clampToImage(size, { ...crop, x: crop.x + dx * side, y: crop.y + dy * side });
}

/** Sets the zoom of the crop around its centre, as far as the edges of the image allow. */
export function zoomCrop(size: Size, crop: Crop, zoom: number): Crop {
  return clampToImage(size, { ...crop, zoom: Math.min(MAX_ZOOM, Math.max(1, zoom)) });
}

function clampToImage(size: Size, crop: Crop): Crop {
  const half = sideOf(size, crop) / 2;
  const within = (value: number, length: number) => Math.min(length - half, Math.max(half, value));
  return { ...crop, x: within(crop.x, size.width), y: within(crop.y, size.height) };
}
