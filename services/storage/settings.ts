/** Settings of storage, with the variable names of the hosted service. */
import {
  booleanSetting,
  bytesText,
  ConfigError,
  type ConfigOf,
  defineSettings,
  integerSetting,
  missingSetting,
  reloadable,
  type SettingsContext,
  type SettingsOf,
  setting,
  textSetting,
  urlSetting,
} from '@greenroom/config';
import { z } from 'zod';

/** Region for which clients of the S3 protocol sign requests. */
const DEFAULT_REGION = 'us-east-1';
/** That of the local instances of the Supabase CLI. */
const CLI_REGION = 'local';

const KILO = 1000;
const UNITS: Readonly<Record<string, number>> = { B: 1, KB: KILO, MB: KILO ** 2, GB: KILO ** 3 };
/** Largest object that the S3 protocol allows. */
const MAX_OBJECT_BYTES = 5 * 1024 ** 4;
const SIZE = /^(\d+(?:\.\d+)?) ?(B|KB|MB|GB)?$/i;
const SIZE_FORM = 'bytes, or a number with B, KB, MB or GB';

function bytesOf(text: string): number {
  const [, number = '', unit = 'B'] = SIZE.exec(text) ?? [];
  return Math.floor(Number(number) * (UNITS[unit.toUpperCase()] ?? 1));
}

function bytesBetween(min: number, max: number) {
  return z.string().regex(SIZE).transform(bytesOf).pipe(z.number().int().min(min).max(max));
}

/** Accepts the size of one object. */
const size = bytesBetween(1, MAX_OBJECT_BYTES);
/** Accepts a sum of many objects, which may exceed the size of one object. */
const quota = bytesBetween(1, Number.MAX_SAFE_INTEGER);
const diskReserve = z.union([z.literal('auto'), bytesBetween(0, Number.MAX_SAFE_INTEGER)]);

/** Limits that each request reads. */
const limits = reloadable({
  maxObjectBytes: setting('FILE_SIZE_LIMIT', size, SIZE_FORM, {
    default: '52428800',
    configKey: { key: 'storage.file_size_limit', toText: bytesText },
    description: 'Maximum size of an object. A bucket may have a smaller limit.',
  }),
  maxStandardBytes: setting('UPLOAD_FILE_SIZE_LIMIT_STANDARD', size, SIZE_FORM, {
    default: undefined,
    description: 'Maximum size of an object that is sent in one request. Unset: FILE_SIZE_LIMIT.',
  }),
  signedUploadSeconds: integerSetting('SIGNED_UPLOAD_URL_EXPIRATION_TIME', 1, 31_536_000, {
    default: '7200',
    description: 'Lifetime of a signed URL for an upload, in seconds.',
  }),
  quotas: {
    total: setting('STORAGE_QUOTA_TOTAL', quota, SIZE_FORM, {
      default: undefined,
      description: 'Maximum total size of all objects and unfinished uploads. Unset: no limit.',
    }),
    perBucket: setting('STORAGE_QUOTA_PER_BUCKET', quota, SIZE_FORM, {
      default: undefined,
      description: 'Maximum total size of the objects and unfinished uploads of one bucket. Unset: no limit.',
    }),
    perUser: setting('STORAGE_QUOTA_PER_USER', quota, SIZE_FORM, {
      default: undefined,
      description:
        'Maximum total size of the objects and unfinished uploads of one account, by `owner_id`. Unset: no limit.',
    }),
  },
  /** Limit per account. */
  maxUnfinishedUploads: integerSetting('STORAGE_MAX_UNFINISHED_UPLOADS', 1, 1_000_000, {
    default: '1000',
    description:
      'Maximum number of unfinished resumable and multipart uploads of one account. Anonymous uploads to a bucket count together.',
  }),
});

const tree = {
  ...limits,
  resumableExpiryMs: integerSetting('TUS_URL_EXPIRY_MS', 1000, 2_592_000_000, {
    default: '86400000',
    description: 'Time without a request after which a resumable upload is removed, in milliseconds.',
  }),
  /** Bytes to keep free on the disk of the store. */
  diskReserve: setting('STORAGE_DISK_RESERVE', diskReserve, `${SIZE_FORM}, or auto`, {
    default: 'auto',
    description:
      'Space that uploads leave free on the disk of the data folder, for PostgreSQL. auto: 5 % of the disk and at least 1 GB, but at most 10 % and at most 16 GB. 0: none.',
  }),
  images: {
    isEnabled: booleanSetting('IMAGE_TRANSFORMATION_ENABLED', {
      default: 'true',
      configKey: { key: 'storage.image_transformation.enabled', default: false },
      description: 'Whether images are resized and converted.',
    }),
    minSize: integerSetting('IMAGE_TRANSFORMATION_LIMIT_MIN_SIZE', 0, 10_000, {
      default: '1',
      description: 'Minimum width and height that a request may specify, in pixels.',
    }),
    maxSize: integerSetting('IMAGE_TRANSFORMATION_LIMIT_MAX_SIZE', 1, 10_000, {
      default: '2000',
      description: 'Maximum width and height that a request may specify, in pixels.',
    }),
  },
  s3Protocol: {
    isEnabled: booleanSetting('S3_PROTOCOL_ENABLED', {
      default: 'true',
      configKey: 'storage.s3_protocol.enabled',
      description: 'Whether the S3 protocol is served at /storage/v1/s3.',
    }),
    /** Key that acts as service_role. Undefined: the pair in keys.json is used. */
    accessKeyId: textSetting('S3_PROTOCOL_ACCESS_KEY_ID', 'an access key', {
      default: undefined,
      description:
        'Access key of the S3 protocol that acts as service_role. Unset: the key that the first start generates in keys.json.',
    }),
    secretAccessKey: textSetting('S3_PROTOCOL_ACCESS_KEY_SECRET', 'a secret key', {
      default: undefined,
      secret: true,
      description: 'Secret of S3_PROTOCOL_ACCESS_KEY_ID.',
    }),
    region: textSetting('S3_PROTOCOL_REGION', 'a region', {
      default: undefined,
      description:
        'Region for which clients of the S3 protocol sign requests. Unset: us-east-1, or local with GREENROOM_CLI_KEYS.',
    }),
    enforcesRegion: booleanSetting('S3_PROTOCOL_ENFORCE_REGION', {
      default: 'false',
      description: 'Whether requests for other regions (us-east-1, auto, none) are rejected.',
    }),
    /** Multipart uploads are removed after this time without a request. */
    uploadExpiryMs: integerSetting('S3_PROTOCOL_UPLOAD_EXPIRY_MS', 1000, 31_536_000_000, {
      default: '604800000',
      description:
        'Time without a request after which a multipart upload of the S3 protocol is removed, in milliseconds.',
    }),
  },
  s3Store: {
    endpoint: urlSetting('S3_ENDPOINT', {
      default: undefined,
      description: 'URL of the S3 store that keeps objects instead of the data folder. Requires S3_BUCKET.',
    }),
    bucket: textSetting('S3_BUCKET', 'a bucket of the store', {
      default: undefined,
      description:
        'Bucket of the S3 store that keeps objects; nothing else may use it. Without S3_ENDPOINT, the store is AWS.',
    }),
    region: textSetting('S3_REGION', 'a region', {
      default: undefined,
      description: 'Region of the S3 store. Unset: AWS_REGION, or us-east-1.',
    }),
    forcePathStyle: booleanSetting('S3_FORCE_PATH_STYLE', {
      default: 'true',
      description: 'Whether URLs of the S3 store have the bucket in the path instead of the host name.',
    }),
    accessKeyId: textSetting('AWS_ACCESS_KEY_ID', 'an access key', {
      default: undefined,
      description: 'Access key of the S3 store. Unset: the credentials that the AWS SDK finds.',
    }),
    secretAccessKey: textSetting('AWS_SECRET_ACCESS_KEY', 'a secret key', {
      default: undefined,
      secret: true,
      description: 'Secret of AWS_ACCESS_KEY_ID.',
    }),
    awsRegion: textSetting('AWS_REGION', 'a region', {
      default: undefined,
      description: 'Region of the S3 store if S3_REGION is unset.',
    }),
  },
  orphans: {
    /** Takes over a store of another instance. Nothing is removed from quarantine then. */
    isAdopting: booleanSetting('GREENROOM_ADOPT_STORE', {
      default: 'false',
      description:
        'Whether the start takes over objects that belong to another database. Deletes nothing. Remove the setting after one start.',
    }),
    quarantineDays: integerSetting('GREENROOM_QUARANTINE_DAYS', 1, 3650, {
      default: '7',
      description: 'Number of days for which content without a row stays in quarantine before it is deleted.',
    }),
    /** A sweep moves nothing to quarantine if it finds more than this, and more than a share of all content. */
    maxOrphans: integerSetting('GREENROOM_SWEEP_MAX_ORPHANS', 0, 1_000_000_000, {
      default: '100',
      description:
        'Number of files without a row that a sweep may move to quarantine even if they are more than 1 % of all files. If there are more, the sweep moves nothing and logs a warning.',
    }),
  },
};

/** Settings of storage. Sizes are in bytes. */
export const storageSettings = defineSettings({
  title: 'Storage',
  tree,
  complete({ s3Protocol, s3Store, maxStandardBytes, ...values }, { instance }: SettingsContext) {
    const { maxObjectBytes } = values;
    requireBoth(s3Protocol);
    return {
      ...values,
      /** Public URL of the API, without the path of a service. */
      externalUrl: instance.externalUrl,
      /** Largest object that is sent in one request. */
      maxStandardBytes: Math.min(maxStandardBytes ?? maxObjectBytes, maxObjectBytes),
      s3Protocol: {
        ...s3Protocol,
        region: s3Protocol.region ?? (instance.usesCliKeys ? CLI_REGION : DEFAULT_REGION),
      },
      s3Store: completeS3Store(s3Store),
    };
  },
});

export type StorageConfig = ConfigOf<typeof storageSettings>;

/** Maximum bytes; undefined: no limit. */
export type QuotaConfig = StorageConfig['quotas'];

function requireBoth(values: { accessKeyId: string | undefined; secretAccessKey: string | undefined }): void {
  const { accessKeyId, secretAccessKey } = tree.s3Protocol;
  if ((values.accessKeyId === undefined) === (values.secretAccessKey === undefined)) return;
  const [missing, present] =
    values.accessKeyId === undefined ? [accessKeyId, secretAccessKey] : [secretAccessKey, accessKeyId];
  throw new ConfigError([missingSetting(missing, `${present.name} is set`)]);
}

/** Connection to the S3 store that keeps objects. */
export interface S3StoreConfig {
  endpoint: string | undefined;
  bucket: string;
  region: string;
  forcePathStyle: boolean;
  /** Undefined: resolved by the default chain of the AWS SDK. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Returns undefined if objects are kept as files in the data folder. */
function completeS3Store(values: SettingsOf<typeof tree.s3Store>): S3StoreConfig | undefined {
  const { endpoint, bucket, region, awsRegion, forcePathStyle, accessKeyId, secretAccessKey } = values;
  if (bucket === undefined) {
    // Without this error, objects would be written to the data folder, and would be missing as soon as S3_BUCKET is
    // set.
    if (endpoint === undefined) return undefined;
    throw new ConfigError([missingSetting(tree.s3Store.bucket, `${tree.s3Store.endpoint.name} is set`)]);
  }
  const credentials =
    accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : undefined;
  return { endpoint, bucket, region: region ?? awsRegion ?? DEFAULT_REGION, forcePathStyle, credentials };
}
