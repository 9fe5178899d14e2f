import { expect, it } from 'vitest';
import { ConfigError, loadConfig } from './index.ts';

it('the keys of the S3 protocol are set together, or not at all', () => {
  const [id, secret] = ['S3_PROTOCOL_ACCESS_KEY_ID', 'S3_PROTOCOL_ACCESS_KEY_SECRET'] as const;
  expect(loadConfig({}).storage.s3Protocol.accessKeyId).toBeUndefined();
  expect(loadConfig({ [id]: 'a', [secret]: 'b' }).storage.s3Protocol).toMatchObject({
    accessKeyId: 'a',
    secretAccessKey: 'b',
  });
  expect(() => loadConfig({ [id]: 'a' })).toThrow(new RegExp(`^${secret}="" is not allowed`));
  expect(() => loadConfig({ [secret]: 'b' })).toThrow(new RegExp(`^${id}="" is not allowed`));
  expect(() => loadConfig({ [id]: 'a' })).toThrow(ConfigError);
});
