import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as CONSTANTS from '../constants.ts';

const css = readFileSync(join(import.meta.dirname, '..', 'app.css'), 'utf8');
const SHADES = [50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950];

describe('the theme', () => {
  it.each(Object.entries(CONSTANTS.colours))('maps %s to %s in all shades', (role, palette) => {
    const shades = [
      ...css.matchAll(new RegExp(`--ui-color-${role}-(\\d+): var\\(--color-(\\w+)-(\\d+)\\);`, 'g')),
    ];
    expect(shades.map(([, name, colour, shade]) => [name, colour, shade])).toEqual(
      SHADES.map((shade) => [String(shade), palette, String(shade)]),
    );
  });

  it.each([
    ['light', ':root,\n  .light', 500],
    ['dark', '.dark,\n  [data-color-mode-forced="dark"]', 400],
  ])('uses in %s the shade %s as primary colour', (_mode, selector, shade) => {
    expect(css).toContain(`  ${selector} {\n    --ui-primary: var(--ui-color-primary-${shade});\n  }`);
  });

  it('removes toasts in the duration of their animation', () => {
    expect(css).toContain(`animation: toast-out ${CONSTANTS.toast.removalDelay}ms`);
    expect(css).toContain(`animation: toast-swiped ${CONSTANTS.toast.removalDelay}ms`);
  });
});
