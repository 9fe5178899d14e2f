import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Texts that continue another text, or are names and words of SQL. */
const PARTS = [
  /^admin-logs\.changes\.(actionPlaceholder|changed)$/,
  /^admin-overview\.backup$/,
  /^admin-policies\.(states\.|partial$|to$)/,
  /^admin-policies-editor\.everyRole$/,
  /^admin-policies-try\.(onColumns|restrictive)$/,
  /^admin-policies-try\.results\./,
  /^admin-policies-words\.(because|refusedBecause)\./,
  /^admin-schema\.states\.securityForced$/,
  /^admin-settings\.keys\.anon$/,
  /^admin-sql\.placeholder$/,
  /^admin-sql-results\.grid\.null$/,
  /^admin-tables\.(filters\.operators\.|grid\.empty$)/,
  /^admin-user\.(identities|sessions)\.used$/,
  /^admin\.factors\.added$/,
  /^mailbox\.and$/,
];

it('texts of the admin area begin with a capital letter, unless they continue another text or are a name', async () => {
  const lower: string[] = [];
  for (const file of globSync('{admin,mailbox}*.ts', { cwd: import.meta.dirname })) {
    if (/\.test\.ts$/.test(file)) continue;
    const module = (await import(join(import.meta.dirname, file))) as Record<
      string,
      { en?: unknown; de?: unknown }
    >;
    for (const texts of Object.values(module)) {
      for (const language of ['en', 'de'] as const) {
        for (const [path, text] of textsIn(texts?.[language], file.replace('.ts', ''))) {
          if (/^(?!config\.toml)\p{Ll}/u.test(text) && !PARTS.some((part) => part.test(path)))
            lower.push(`${path}: ${text}`);
        }
      }
    }
  }
  expect([...new Set(lower)]).toEqual([]);
});

/** Returns all texts of a tree with their paths. Functions receive `X` for each value. */
function textsIn(tree: unknown, path: string): [path: string, text: string][] {
  if (typeof tree === 'string') return [[path, tree]];
  if (typeof tree === 'function') return [[path, String(tree('X', 'X', 'X'))]];
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]) => textsIn(value, `${path}.${name}`));
}
