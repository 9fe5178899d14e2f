/** The table of OAuth providers is the only file that names them, and its icons exist. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCollections } from '../app/ui/icons/collections.ts';
import { PROVIDERS } from '../services/auth/identity/oauth/providers.ts';
import { GENERATED } from './import-graph.ts';

const ROOT = join(import.meta.dirname, '..');
const TABLE = /^services\/auth\/identity\/oauth\/(?:providers\.ts$|descriptions\/)/;
const TEST = /\.test\.tsx?$|\/testing\/|\/tests\//;

/** Names that have another meaning in a file. */
const OTHER_MEANINGS: ReadonlySet<string> = new Set([
  // The key of an icon in our collection.
  'app/ui/icons/greenroom.ts: google',
  // The enlargement of a picture.
  'app/features/avatar/crop.ts: zoom',
  'app/texts/account-picture.ts: zoom',
  // An issuer of tokens, which has no button on the sign-in page.
  'platform/config/third-party.ts: workos',
  "platform/config/third-party.ts: 'workos'",
]);

/** A name of one letter, as of X, has too many other meanings to be searched. */
const NAMES = PROVIDERS.map(({ name }) => name).filter((name) => name.length > 1);
/** A quoted name, and a name as the key of an object. */
const NAMED = new RegExp(
  `(['"])(?:${NAMES.join('|')})\\1|(?<=[{,]\\s*)(?:${NAMES.join('|')})(?=\\s*[:(])`,
  'g',
);

function namesIn(text: string): string[] {
  return [...text.matchAll(NAMED)].map(([found]) => found);
}

describe('the search for names', () => {
  it.each([
    ["provider === 'github'", ["'github'"]],
    ['<Link provider="slack_oidc" />', ['"slack_oidc"']],
    ['const TITLES = {\n  google: 1,\n  apple(): {} }', ['google', 'apple']],
    ["const AGENT = /google/; // 'googlebot', googles", []],
    ['`GOTRUE_EXTERNAL_GOOGLE_ENABLED`', []],
  ])('finds in %s: %j', (text, found) => {
    expect(namesIn(text)).toEqual(found);
  });
});

// `bench/` and `e2e/` are clients, which name the provider that they sign in with.
const files = globSync('{app,cli,demo,platform,server,services}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: (path) => GENERATED.test(String(path)),
}).map((file) => file.replaceAll('\\', '/'));

it('no file except the table names a provider', () => {
  const named = files
    .filter((file) => !TEST.test(file) && !TABLE.test(file))
    .flatMap((file) => namesIn(readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file}: ${name}`));
  expect(named.filter((found) => !OTHER_MEANINGS.has(found))).toEqual([]);
});

it.each(PROVIDERS.flatMap(({ icon }) => icon ?? []))('the icon %s exists', async (icon) => {
  const { find } = await loadCollections();
  expect(find(icon)?.body).toContain('<');
});
