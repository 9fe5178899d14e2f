import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { PROVIDERS } from './providers.ts';

type Row = (typeof PROVIDERS)[number];

const page = await readFile(new URL('../../../../docs/reference/auth.md', import.meta.url), 'utf8');

/** The row of a provider in the reference page. */
function rowOf({ name, title, description, needsSecret = true, needsUrl = false, successor }: Row): string {
  const needs = ['client id', ...(needsSecret ? ['secret'] : []), ...(needsUrl ? ['URL'] : [])].join(', ');
  const hasIdTokens = description.kind === 'oidc' || description.idTokens !== undefined;
  const note = successor ? `deprecated, use \`${successor}\`` : needsSecret ? '' : 'ID tokens only';
  return `| \`${name}\` | ${title} | ${needs} | ${hasIdTokens ? 'yes' : 'no'} | ${note} |`;
}

it('are listed in the reference page, in the same order', () => {
  const [, section = ''] = page.split('\n### Other providers\n');
  const rows = section.split('\n### ')[0]?.match(/^\| `.*$/gm);
  expect(rows).toEqual(PROVIDERS.map(rowOf));
});

it('have unique names', () => {
  const names = PROVIDERS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z][a-z_]*$/);
});

describe.each(PROVIDERS)('$name', ({ description, title, idTokenIssuer, successor }) => {
  it('has the issuer of its description, if only the issuer is compared', () => {
    if (idTokenIssuer === undefined) return;
    const issuer = description.kind === 'oidc' ? description.issuer(undefined) : description.idTokens?.issuer;
    expect(issuer).toBe(idTokenIssuer);
  });

  it('has the title of its successor, if it has one', () => {
    if (successor === undefined) return;
    expect(PROVIDERS.find(({ name }) => name === successor)?.title).toBe(title);
  });
});
