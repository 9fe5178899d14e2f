import { ConfigError, loadSettings } from '@greenroom/config';
import { expect, it } from 'vitest';
import { storageSettings } from './settings.ts';

it('rejects settings with only one of the keys of the S3 protocol', () => {
  const [id, secret] = ['S3_PROTOCOL_ACCESS_KEY_ID', 'S3_PROTOCOL_ACCESS_KEY_SECRET'] as const;
  expect(loadSettings(storageSettings, {}).s3Protocol.accessKeyId).toBeUndefined();
  expect(loadSettings(storageSettings, { [id]: 'a', [secret]: 'b' }).s3Protocol).toMatchObject({
    accessKeyId: 'a',
    secretAccessKey: 'b',
  });
  expect(() => loadSettings(storageSettings, { [id]: 'a' })).toThrow(
    new RegExp(`^${secret}="" is not allowed`),
  );
  expect(() => loadSettings(storageSettings, { [secret]: 'b' })).toThrow(
    new RegExp(`^${id}="" is not allowed`),
  );
  expect(() => loadSettings(storageSettings, { [id]: 'a' })).toThrow(ConfigError);
});
