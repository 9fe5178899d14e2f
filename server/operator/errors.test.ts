import { readFile } from 'node:fs/promises';
import { documentedCodes } from '@greenroom/errors';
import { expect, it } from 'vitest';
import { operatorErrors } from './errors.ts';

it('the reference explains each error code, and no other', async () => {
  const page = await readFile(new URL('../../docs/reference/operator.md', import.meta.url), 'utf8');
  expect(documentedCodes(page)).toEqual(Object.keys(operatorErrors).toSorted());
});
