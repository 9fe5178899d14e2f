import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ATTACKS } from './index.ts';

const REFERENCE = new URL('../../../docs/reference/abuse.md', import.meta.url);

it('attacks have unique names with an area, and are few enough for one address each', () => {
  const names = ATTACKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !/^(auth|data|realtime|storage|http)\/[a-z0-9-]{1,24}$/.test(name))).toEqual(
    [],
  );
  expect(names.length).toBeLessThan(255);
});

it('the reference page lists exactly the attacks, with their descriptions', () => {
  const rows = [...readFileSync(REFERENCE, 'utf8').matchAll(/^\| `([a-z]+\/[a-z0-9-]+)` \| (.+?) \|/gm)];
  expect(rows.map(([, name, description]) => `${name}: ${description}`)).toEqual(
    ATTACKS.map(({ name, description }) => `${name}: ${description}`),
  );
});
