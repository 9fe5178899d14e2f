import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeFailure } from './builder-output.ts';

const appFolder = mkdtempSync(join(tmpdir(), 'greenroom-app-'));
const root = join(import.meta.dirname, '..');
const fromRoot = relative(root, realpathSync(appFolder));

afterAll(() => rmSync(appFolder, { recursive: true }));

const describeLines = (...lines: string[]) => describeFailure(lines.join('\n'), { root, appFolder });

describe('describeFailure', () => {
  it('returns a mistake that a plugin found once', () => {
    expect(
      describeLines(
        '[plugin react-router:build-client-route] /x/app/routes/a.tsx',
        'Error: app/routes/a.tsx:2: this guard cannot be read. Allowed: …',
        'app/routes/a.tsx:2: this guard cannot be read. Allowed: …',
        '    at aggregate (file:///x/node_modules/rolldown/dist/index.mjs:50:18)',
      ),
    ).toBe('app/routes/a.tsx:2: this guard cannot be read. Allowed: …');
  });

  it('removes colours, progress and places in packages', () => {
    expect(
      describeLines(
        'vite v8.3.8 building client environment for production...',
        'transforming...',
        '✓ 603 modules transformed.',
        'Build failed with 1 error:',
        '',
        '',
        '\u001b[31m[MISSING_EXPORT] \u001b[0m"Buttn" is not exported',
        '    at aggregate (file:///x/node_modules/rolldown/dist/index.mjs:50:18) {',
        '  errors: [Getter/Setter]',
        '}',
      ),
    ).toBe('[MISSING_EXPORT] "Buttn" is not exported');
  });

  it('names files as the author does', () => {
    expect(describeLines(`${fromRoot}/routes/a.tsx?__react-router-build-client-route:1:37`)).toBe(
      'app/routes/a.tsx:1:37',
    );
    expect(describeLines(`[plugin tailwindcss] ${join(root, 'app.css')}`)).toBe(
      '[plugin tailwindcss] app/styles.css',
    );
  });
});
