import { expect, it } from 'vitest';
import { MAX_METADATA_BYTES, parseContentEntry } from './content-index.ts';

const entry = (metadata: unknown) => ({
  version: '00000000-0000-4000-8000-000000000001',
  bucket: 'files',
  key: 'a.txt',
  metadata,
  size: 0,
  sha256: '0'.repeat(64),
  pieces: [],
});
const ofBytes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

it.each([
  ['as it is', 'of the largest size', ofBytes(MAX_METADATA_BYTES), ofBytes(MAX_METADATA_BYTES)],
  ['as null', 'that is longer, as earlier versions wrote it', ofBytes(MAX_METADATA_BYTES + 1), null],
  ['as null', 'whose JSON is longer', { a: '"'.repeat(MAX_METADATA_BYTES - 100) }, null],
  ['as it is', 'of a row without any', null, null],
])('metadata is read %s: %s', (_result, _name, metadata, expected) => {
  expect(parseContentEntry(entry(metadata)).metadata).toEqual(expected);
});
