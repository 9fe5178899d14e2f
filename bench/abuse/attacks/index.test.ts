import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ATTACKS } from './index.ts';

const REFERENCE = new URL('../../../docs/reference/abuse.md', import.meta.url);

it('gives each attack a unique name with an area, and an address of its own', () => {
  const names = ATTACKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^(auth|data|realtime|storage|http)\/[a-z0-9-]{1,24}$/.test(name))).toEqual(
    [],
  );
  expect(names.length).toBeLessThan(255);
});

it('lists exactly these attacks, with their descriptions, in the reference page', () => {
  const rows = [...readFileSync(REFERENCE, 'utf8').matchAll(/^\| `([a-z]+\/[a-z0-9-]+)` \| (.+?) \|/gm)];
  expect(rows.map(([, name, description]) => `${name}: ${description}`)).toEqual(
    ATTACKS.map(({ name, description }) => `${name}: ${description}`),
  );
});
