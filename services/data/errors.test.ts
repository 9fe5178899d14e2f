import { readFile } from 'node:fs/promises';
import { documentedCodes } from '@greenroom/errors';
import { expect, it } from 'vitest';
import { dataErrors } from './errors.ts';

const page = await readFile(new URL('../../docs/reference/data.md', import.meta.url), 'utf8');

it('documents exactly the errors of the catalogue', () => {
  expect(documentedCodes(page)).toEqual(Object.keys(dataErrors).sort());
});

it.each(Object.entries(dataErrors))('%s is documented with its statuses', (code, { status }) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\` |`));
  const statuses = [status].flat().join(', ');
  expect(row?.split('|')[2]?.trim()).toBe(statuses);
});
