import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDefinition } from './unused-modules.ts';

const APP = resolve(import.meta.dirname, '..').replaceAll('\\', '/');
/** `import '…'` without names. */
const BARE_IMPORT = /^import '(\.[^']+)'/gm;

describe('isDefinition', () => {
  it.each([
    ['ui/dialog.tsx', true],
    ['lib/format/size.ts', true],
    ['shell/sidebar.tsx', false],
    ['app.css', false],
    ['root.tsx', false],
  ])('returns for %s: %s', (name, expected) => {
    expect(isDefinition(`${APP}/${name}`)).toBe(expected);
  });

  it('returns false for modules outside of the app', () => {
    expect(isDefinition('/product/app/ui/dialog.tsx')).toBe(false);
  });

  it('returns false for every module that is imported without names', () => {
    const sources = globSync('**/*.{ts,tsx}', { cwd: APP, exclude: ['build/**', 'node_modules/**'] });
    const targets = sources.flatMap((source) =>
      [...readFileSync(join(APP, source), 'utf8').matchAll(BARE_IMPORT)].map(([, target = '']) =>
        join(APP, dirname(source), target).replaceAll('\\', '/'),
      ),
    );
    expect(targets.length).toBeGreaterThan(3);
    expect(targets.filter(isDefinition)).toEqual([]);
  });
});
