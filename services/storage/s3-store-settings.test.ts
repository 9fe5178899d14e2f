import { ConfigError, loadSettings } from '@greenroom/config';
import { expect, it } from 'vitest';
import { storageSettings } from './settings.ts';

const ENDPOINT = 'https://s3.test';

it('is in the data folder if no bucket is set', () => {
  expect(loadSettings(storageSettings, { AWS_ACCESS_KEY_ID: 'a', AWS_REGION: 'b' }).s3Store).toBeUndefined();
});

it('is at AWS without an endpoint, with keys that the SDK finds', () => {
  expect(loadSettings(storageSettings, { S3_BUCKET: 'objects', AWS_REGION: 'eu-west-1' }).s3Store).toEqual({
    endpoint: undefined,
    bucket: 'objects',
    region: 'eu-west-1',
    forcePathStyle: true,
    credentials: undefined,
  });
});

it('is at the configured endpoint, with the configured keys', () => {
  const set = {
    S3_ENDPOINT: ENDPOINT,
    S3_BUCKET: 'objects',
    S3_REGION: 'auto',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  expect(loadSettings(storageSettings, set).s3Store).toMatchObject({
    endpoint: ENDPOINT,
    region: 'auto',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
  });
});

it('needs a bucket when an endpoint is set', () => {
  expect(() => loadSettings(storageSettings, { S3_ENDPOINT: ENDPOINT })).toThrow(ConfigError);
  expect(() => loadSettings(storageSettings, { S3_ENDPOINT: ENDPOINT })).toThrow(
    /^S3_BUCKET="" is not allowed/,
  );
});
