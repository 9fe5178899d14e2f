import { readFile } from 'node:fs/promises';
import { documentedCodes } from '@greenroom/errors';
import { expect, it } from 'vitest';
import { metaErrors } from './errors.ts';

const page = await readFile(new URL('../../docs/reference/meta.md', import.meta.url), 'utf8');

it('the documentation lists exactly the errors of the catalogue', () => {
  expect(documentedCodes(page)).toEqual(Object.keys(metaErrors).sort());
});

it.each(Object.entries(metaErrors))('%s is documented with its statuses', (code, { status }) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\` |`));
  const statuses = [status].flat().join(', ');
  expect(row?.split('|')[2]?.trim()).toBe(statuses);
});
