/** Colours of a product: the names of Tailwind CSS, or eleven shades. */
import { z } from 'zod';

/** Names of the palettes of Tailwind CSS. */
export const PALETTES = [
  'red',
  'orange',
  'amber',
  'yellow',
  'lime',
  'green',
  'emerald',
  'teal',
  'cyan',
  'sky',
  'blue',
  'indigo',
  'violet',
  'purple',
  'fuchsia',
  'pink',
  'rose',
  'slate',
  'gray',
  'zinc',
  'neutral',
  'stone',
] as const;

/** Names of the shades, from light to dark. */
export const SHADES = ['50', '100', '200', '300', '400', '500', '600', '700', '800', '900', '950'] as const;

/** CSS colours by the names of their shades. */
export type Shades = Readonly<Record<(typeof SHADES)[number], string>>;

/** A colour cannot end the declaration that it is written into. */
const COLOUR = /^(?:#(?:[\da-f]{3}|[\da-f]{6})|(?:oklch|oklab|lch|lab|hsl|rgb)\([\d\s.,%/+a-z-]{1,60}\))$/i;

const shade = z.string().regex(COLOUR, 'a CSS colour, e.g. #15803d or oklch(0.62 0.19 150)');

/** A palette by its name, or its eleven shades. */
export const palette = z.union([z.enum(PALETTES), z.strictObject(shadesOf(shade))], {
  error: 'the name of a palette of Tailwind CSS, e.g. "blue", or the shades 50, 100, 200 to 900, and 950',
});

function shadesOf<T>(value: T): Record<(typeof SHADES)[number], T> {
  return Object.fromEntries(SHADES.map((name) => [name, value])) as Record<(typeof SHADES)[number], T>;
}
