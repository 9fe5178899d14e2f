import { readFile } from 'node:fs/promises';
import { documentedCodes } from '@greenroom/errors';
import { expect, it } from 'vitest';
import { storageErrors } from '../errors.ts';
import { s3Errors } from './errors.ts';

const page = await readFile(new URL('../../../docs/reference/storage-s3.md', import.meta.url), 'utf8');

it('the documentation lists exactly the codes of the catalogue', () => {
  expect(documentedCodes(page)).toEqual(Object.keys(s3Errors).toSorted());
});

it.each(Object.entries(s3Errors))('%s is documented with its status', (code, { status }) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${code}\` |`));
  expect(row?.split('|')[2]?.trim()).toBe(String(status));
});

it('S3 and storage share no codes of errors', () => {
  expect(Object.keys(s3Errors).filter((code) => code in storageErrors)).toEqual([]);
});
