import { readFile } from 'node:fs/promises';
import { documentedCodes } from '@greenroom/errors';
import { expect, it } from 'vitest';
import { realtimeErrors } from './errors.ts';

const page = await readFile(new URL('../../docs/reference/realtime.md', import.meta.url), 'utf8');

it('the documentation lists exactly the errors', () => {
  expect(documentedCodes(page)).toEqual(Object.keys(realtimeErrors).toSorted());
});

it.each(Object.entries(realtimeErrors))('%s is documented with its statuses', (code, { status }) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\` |`));
  expect(row?.split('|')[2]?.trim()).toBe([status].flat().join(', '));
});
