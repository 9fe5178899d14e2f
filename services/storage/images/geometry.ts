/**
 * Sizes and places of a rendered image: how far its source is scaled, and what is cut out of it then. An image is never
 * made larger than it is: a box that it cannot fill is filled as far as it can be.
 */
import type { Transform } from './transform.ts';

/** Pixels. */
export interface Size {
  width: number;
  height: number;
}

/** A part of an image. */
interface Area extends Size {
  left: number;
  top: number;
}

/** What is to be done, in this order. */
export interface Geometry {
  scaled: Size;
  /** Undefined where all of it stays. Where it lies is only known to whoever sees the image, with gravity `sm`. */
  cropped: Area | undefined;
}

/** Plans it for a source, after its orientation has been set right. `isVector`: it can be of any size. */
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
  const isWhole = box.width === scaled.width && box.height === scaled.height;
  return { scaled, cropped: isWhole ? undefined : { ...box, ...placeOf(scaled, box, transform) } };
}

function scaleOf(source: Size, transform: Transform, isVector: boolean): Size {
  const { width, height } = transform;
  const asked = {
    width: (width ?? source.width) / source.width,
    height: (height ?? source.height) / source.height,
  };
  const scale = keptInShape(asked, transform);
  const largest = Math.max(scale.width, scale.height);
  return isVector || largest <= 1 ? scale : { width: scale.width / largest, height: scale.height / largest };
}

function keptInShape(asked: Size, { width, height, resize }: Transform): Size {
  const evenly = (factor: number) => ({ width: factor, height: factor });
  if (resize === 'fill') return asked;
  if (width === undefined) return evenly(asked.height);
  if (height === undefined) return evenly(asked.width);
  return evenly(
    resize === 'contain' ? Math.min(asked.width, asked.height) : Math.max(asked.width, asked.height),
  );
}

/** Where the box lies: gravity says to which side of the image, and the offsets how far away from it. */
function placeOf(image: Size, box: Size, transform: Transform): { left: number; top: number } {
  const { gravity = 'ce', xOffset = 0, yOffset = 0 } = transform;
  const room = { width: image.width - box.width, height: image.height - box.height };
  if (gravity === 'fp') {
    return {
      left: within(Math.round(image.width * xOffset - box.width / 2), room.width),
      top: within(Math.round(image.height * yOffset - box.height / 2), room.height),
    };
  }
  const away = { x: pixelsOf(xOffset, image.width), y: pixelsOf(yOffset, image.height) };
  let left = Math.floor(room.width / 2) + away.x;
  let top = Math.floor(room.height / 2) + away.y;
  if (gravity.endsWith('ea')) left = room.width - away.x;
  if (gravity.endsWith('we')) left = away.x;
  if (gravity.startsWith('no')) top = away.y;
  if (gravity.startsWith('so')) top = room.height - away.y;
  return { left: within(left, room.width), top: within(top, room.height) };
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
