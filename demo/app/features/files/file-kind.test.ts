import { expect, it } from 'vitest';
import { kindOf } from './file-kind.ts';

it.each([
  ['image/png', 'a.png', 'image'],
  ['IMAGE/PNG', 'a.png', 'image'],
  ['audio/mpeg', 'a.mp3', 'audio'],
  ['video/mp4', 'a.mp4', 'video'],
  ['application/pdf', 'a.pdf', 'pdf'],
  ['text/plain;charset=UTF-8', 'a.txt', 'text'],
  ['application/json', 'a.json', 'text'],
  ['application/octet-stream', 'README.md', 'text'],
  ['application/octet-stream', 'a.bin', 'other'],
  ['application/zip', 'a.zip', 'archive'],
  ['', 'a', 'other'],
] as const)('returns for %s of %s: %s', (type, name, kind) => {
  expect(kindOf(type, name)).toBe(kind);
});
