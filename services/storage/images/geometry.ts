/**
 * Computes how a source is scaled and then cropped. Images are never enlarged: if an image is too small for the
 * requested box, the result is smaller than the box.
 */
import type { Transform } from './transform.ts';

/** Size in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** A part of an image, in pixels. */
interface Area extends Size {
  left: number;
  top: number;
}

/** Steps of a rendering: scale, then crop. */
export interface Geometry {
  scaled: Size;
  /**
   * Undefined: the image is not cropped. With gravity `sm` only the size applies, because the renderer chooses the
   * position by the content.
   */
  cropped: Area | undefined;
}

/**
 * Plans the steps for a source whose orientation has been corrected.
 *
 * @param isVector the source can be scaled to any size
 */
export function planGeometry(source: Size, transform: Transform, isVector: boolean): Geometry {
  const scale = scaleOf(source, transform, isVector);
  const scaled = {
    width: atLeastOne(source.width * scale.width),
    height: atLeastOne(source.height * scale.height),
  };
  const box = {
    width: Math.min(transform.width ?? scaled.width, scaled.width),
    height: Math.min(transform.height ?? scaled.height, scaled.height),
  };
  const isExact = box.width === scaled.width && box.height === scaled.height;
  return { scaled, cropped: isExact ? undefined : { ...box, ...cropPosition(scaled, box, transform) } };
}

function scaleOf(source: Size, transform: Transform, isVector: boolean): Size {
  const { width, height } = transform;
  const requested = {
    width: (width ?? source.width) / source.width,
    height: (height ?? source.height) / source.height,
  };
  const scale = preserveAspectRatio(requested, transform);
  const largest = Math.max(scale.width, scale.height);
  return isVector || largest <= 1 ? scale : { width: scale.width / largest, height: scale.height / largest };
}

function preserveAspectRatio(requested: Size, { width, height, resize }: Transform): Size {
  const evenly = (factor: number) => ({ width: factor, height: factor });
  if (resize === 'fill') return requested;
  if (width === undefined) return evenly(requested.height);
  if (height === undefined) return evenly(requested.width);
  return evenly(
    resize === 'contain'
      ? Math.min(requested.width, requested.height)
      : Math.max(requested.width, requested.height),
  );
}

/** Position of the box: gravity selects a side of the image, and the offsets are the distance from that side. */
function cropPosition(image: Size, box: Size, transform: Transform): { left: number; top: number } {
  const { gravity = 'ce', xOffset = 0, yOffset = 0 } = transform;
  const excess = { width: image.width - box.width, height: image.height - box.height };
  if (gravity === 'fp') {
    return {
      left: within(Math.round(image.width * xOffset - box.width / 2), excess.width),
      top: within(Math.round(image.height * yOffset - box.height / 2), excess.height),
    };
  }
  const distance = { x: pixelsOf(xOffset, image.width), y: pixelsOf(yOffset, image.height) };
  let left = Math.floor(excess.width / 2) + distance.x;
  let top = Math.floor(excess.height / 2) + distance.y;
  if (gravity.endsWith('ea')) left = excess.width - distance.x;
  if (gravity.endsWith('we')) left = distance.x;
  if (gravity.startsWith('no')) top = distance.y;
  if (gravity.startsWith('so')) top = excess.height - distance.y;
  return { left: within(left, excess.width), top: within(top, excess.height) };
}

function pixelsOf(offset: number, whole: number): number {
  return Math.round(Math.abs(offset) < 1 ? offset * whole : offset);
}

function within(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}

function atLeastOne(value: number): number {
  return Math.max(1, Math.round(value));
}
