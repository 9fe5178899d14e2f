import { readFile } from 'node:fs/promises';
import { documentedCodes } from '@greenroom/errors';
import { describe, expect, it } from 'vitest';
import { failure, type StorageErrorCode, storageErrors } from './errors.ts';
import { errorResponse } from './respond/error-response.ts';

const page = await readFile(new URL('../../docs/reference/storage.md', import.meta.url), 'utf8');
const codes = Object.keys(storageErrors) as StorageErrorCode[];

it('the documentation lists exactly the codes of the catalogue', () => {
  expect(documentedCodes(page).toSorted()).toEqual(codes.toSorted());
});

describe.each(codes)('%s', (code) => {
  it('is documented with its response', () => {
    const { status, body } = errorResponse(failure(code));
    const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\` |`));
    const cells = row?.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    expect(cells?.slice(2, 6)).toEqual([String(status), body.statusCode, body.error, body.code]);
  });
});
