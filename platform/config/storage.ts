/** Settings of storage, under the names that the hosted service's own has for them. */
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import {
  booleanVariable,
  integerVariable,
  textVariable,
  urlVariable,
  type Values,
  variable,
} from './variable.ts';

const KILO = 1000;
const UNITS: Readonly<Record<string, number>> = { B: 1, KB: KILO, MB: KILO ** 2, GB: KILO ** 3 };
/** So that one upload of the S3 protocol, or of many hours, is possible, and no more. */
const MOST_BYTES = 5 * 1024 ** 4;
const SIZE = /^(\d+(?:\.\d+)?) ?(B|KB|MB|GB)?$/i;

/** Bytes, as a number or with a unit: `50MB`. */
const size = z.string().regex(SIZE).transform(bytesOf).pipe(z.number().int().min(1).max(MOST_BYTES));

/** Sums of many objects may be larger than one object. */
const quota = z
  .string()
  .regex(SIZE)
  .transform(bytesOf)
  .pipe(z.number().int().min(1).max(Number.MAX_SAFE_INTEGER));

const diskReserve = z.union([
  z.literal('auto'),
  z.string().regex(SIZE).transform(bytesOf).pipe(z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)),
]);

const SIZE_FORM = 'bytes, or a number with B, KB, MB or GB';

function bytesOf(text: string): number {
  const [, number = '', unit = 'B'] = SIZE.exec(text) ?? [];
  return Math.floor(Number(number) * (UNITS[unit.toUpperCase()] ?? 1));
}

/** Environment variables of storage. */
export const storageVariables = {
  FILE_SIZE_LIMIT: variable(size, 'bytes, or a number with B, KB, MB or GB', {
    default: '52428800',
    description: 'Largest object; a bucket may have a smaller limit.',
  }),
  UPLOAD_FILE_SIZE_LIMIT_STANDARD: variable(size, 'bytes, or a number with B, KB, MB or GB', {
    default: undefined,
    description: 'Largest object that is sent in one request. Unset: FILE_SIZE_LIMIT.',
  }),
  SIGNED_UPLOAD_URL_EXPIRATION_TIME: integerVariable(1, 31_536_000, {
    default: '7200',
    description: 'Life of a link for an upload, in seconds.',
  }),
  TUS_URL_EXPIRY_MS: integerVariable(1000, 2_592_000_000, {
    default: '86400000',
    description: 'So long a resumable upload may rest before it is removed, in milliseconds.',
  }),
  STORAGE_DISK_RESERVE: variable(diskReserve, `${SIZE_FORM}, or auto`, {
    default: 'auto',
    description:
      'Bytes that uploads leave free on the disk of the data folder, which PostgreSQL may need. auto: 5 % of the disk and at least 1 GB, but not over 10 % or 16 GB. 0: off.',
  }),
  STORAGE_QUOTA_TOTAL: variable(quota, SIZE_FORM, {
    default: undefined,
    description: 'Most bytes of all objects and unfinished uploads. Unset: no limit.',
  }),
  STORAGE_QUOTA_PER_BUCKET: variable(quota, SIZE_FORM, {
    default: undefined,
    description: 'Most bytes of the objects and unfinished uploads of one bucket. Unset: no limit.',
  }),
  STORAGE_QUOTA_PER_USER: variable(quota, SIZE_FORM, {
    default: undefined,
    description:
      'Most bytes of the objects and unfinished uploads of one account, by their owner_id. Unset: no limit.',
  }),
  STORAGE_MAX_UNFINISHED_UPLOADS: integerVariable(1, 1_000_000, {
    default: '1000',
    description:
      'Most unfinished resumable uploads and uploads in parts of one account; anonymous ones of a bucket count together.',
  }),
  IMAGE_TRANSFORMATION_ENABLED: booleanVariable({
    default: 'true',
    description: 'Whether images are resized and converted.',
  }),
  IMAGE_TRANSFORMATION_LIMIT_MIN_SIZE: integerVariable(0, 10_000, {
    default: '1',
    description: 'Smallest width and height that can be asked for, in pixels.',
  }),
  IMAGE_TRANSFORMATION_LIMIT_MAX_SIZE: integerVariable(1, 10_000, {
    default: '2000',
    description: 'Largest width and height that can be asked for, in pixels.',
  }),
  S3_PROTOCOL_ENABLED: booleanVariable({
    default: 'true',
    description: 'Whether the S3 protocol is served at /storage/v1/s3.',
  }),
  S3_PROTOCOL_ACCESS_KEY_ID: textVariable('a text', {
    default: undefined,
    description:
      'Access key of the S3 protocol that acts as service_role. Unset: the one generated into keys.json.',
  }),
  S3_PROTOCOL_ACCESS_KEY_SECRET: textVariable('a text', {
    default: undefined,
    secret: true,
    description: 'Its secret.',
  }),
  S3_PROTOCOL_REGION: textVariable('a region', {
    default: 'us-east-1',
    description: 'Region that clients of the S3 protocol sign for.',
  }),
  S3_PROTOCOL_ENFORCE_REGION: booleanVariable({
    default: 'false',
    description: 'Whether other regions (us-east-1, auto, none) are refused.',
  }),
  S3_PROTOCOL_UPLOAD_EXPIRY_MS: integerVariable(1000, 31_536_000_000, {
    default: '604800000',
    description:
      'So long an upload in parts by the S3 protocol may rest before it is removed, in milliseconds.',
  }),
  S3_ENDPOINT: urlVariable({
    default: undefined,
    description: 'Keep objects in an S3 store at this URL instead of the data folder. Needs S3_BUCKET.',
  }),
  S3_BUCKET: textVariable('a bucket of the store', {
    default: undefined,
    description:
      'Keep objects in this bucket of an S3 store, which nothing else may use; without S3_ENDPOINT at AWS.',
  }),
  S3_REGION: textVariable('a region', {
    default: undefined,
    description: 'Region of that store. Unset: AWS_REGION, or us-east-1.',
  }),
  S3_FORCE_PATH_STYLE: booleanVariable({
    default: 'true',
    description: 'Whether the bucket of that store is a part of the path, and not of the host name.',
  }),
  AWS_ACCESS_KEY_ID: textVariable('a text', {
    default: undefined,
    description: 'Access key for that store. Unset: found as the AWS SDK does.',
  }),
  AWS_SECRET_ACCESS_KEY: textVariable('a text', {
    default: undefined,
    secret: true,
    description: 'Its secret.',
  }),
  AWS_REGION: textVariable('a region', {
    default: undefined,
    description: 'Region of the S3 store, where S3_REGION does not say it.',
  }),
  GREENROOM_ADOPT_STORE: booleanVariable({
    default: 'false',
    description:
      'Starts although the objects belong to another database, and takes them over for this one. Deletes nothing; take it out after one start.',
  }),
  GREENROOM_QUARANTINE_DAYS: integerVariable(1, 3650, {
    default: '7',
    description: 'Days that content without a row is kept in quarantine before it is deleted.',
  }),
  GREENROOM_SWEEP_MAX_ORPHANS: integerVariable(0, 1_000_000_000, {
    default: '100',
    description:
      'Content without a row that a sweep moves to quarantine even if it is more than 1 % of all content. If there is more, the sweep moves nothing and warns.',
  }),
};

/** Settings of storage. Sizes in bytes. */
export interface StorageConfig {
  /** Of the API, as clients know it, without a path of a service. */
  externalUrl: string;
  maxObjectBytes: number;
  /** Of objects that come in one request. */
  maxStandardBytes: number;
  signedUploadSeconds: number;
  resumableExpiryMs: number;
  /** Bytes that stay free on the disk of the store. */
  diskReserve: number | 'auto';
  quotas: QuotaConfig;
  /** Of one account. */
  maxUnfinishedUploads: number;
  images: { isEnabled: boolean; minSize: number; maxSize: number };
  s3Protocol: {
    isEnabled: boolean;
    region: string;
    enforcesRegion: boolean;
    /** So long uploads in parts may rest. */
    uploadExpiryMs: number;
    accessKeyId: string | undefined;
    secretAccessKey: string | undefined;
  };
  /** Undefined: files in the data folder. */
  s3Store: S3StoreConfig | undefined;
  orphans: OrphansConfig;
}

/** What happens to content without a row. */
interface OrphansConfig {
  /** A store of another instance is taken over, and nothing is removed from quarantine. */
  isAdopting: boolean;
  quarantineDays: number;
  /** More than this, and more than a share of all content, is not moved to quarantine. */
  mostOrphans: number;
}

/** Most bytes; undefined: no limit. */
export interface QuotaConfig {
  total: number | undefined;
  perBucket: number | undefined;
  perUser: number | undefined;
}

/** An S3 store that objects are kept in. */
export interface S3StoreConfig {
  endpoint: string | undefined;
  bucket: string;
  region: string;
  forcePathStyle: boolean;
  /** Undefined: found as the AWS SDK does. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Puts the values together. */
export function storageConfig(values: Values<typeof storageVariables>, externalUrl: string): StorageConfig {
  const maxObjectBytes = values.FILE_SIZE_LIMIT;
  return {
    externalUrl,
    maxObjectBytes,
    maxStandardBytes: Math.min(values.UPLOAD_FILE_SIZE_LIMIT_STANDARD ?? maxObjectBytes, maxObjectBytes),
    signedUploadSeconds: values.SIGNED_UPLOAD_URL_EXPIRATION_TIME,
    resumableExpiryMs: values.TUS_URL_EXPIRY_MS,
    diskReserve: values.STORAGE_DISK_RESERVE,
    quotas: {
      total: values.STORAGE_QUOTA_TOTAL,
      perBucket: values.STORAGE_QUOTA_PER_BUCKET,
      perUser: values.STORAGE_QUOTA_PER_USER,
    },
    maxUnfinishedUploads: values.STORAGE_MAX_UNFINISHED_UPLOADS,
    images: {
      isEnabled: values.IMAGE_TRANSFORMATION_ENABLED,
      minSize: values.IMAGE_TRANSFORMATION_LIMIT_MIN_SIZE,
      maxSize: values.IMAGE_TRANSFORMATION_LIMIT_MAX_SIZE,
    },
    s3Protocol: s3Protocol(values),
    s3Store: s3Store(values),
    orphans: {
      isAdopting: values.GREENROOM_ADOPT_STORE,
      quarantineDays: values.GREENROOM_QUARANTINE_DAYS,
      mostOrphans: values.GREENROOM_SWEEP_MAX_ORPHANS,
    },
  };
}

function s3Protocol(values: Values<typeof storageVariables>): StorageConfig['s3Protocol'] {
  const { S3_PROTOCOL_ACCESS_KEY_ID: accessKeyId, S3_PROTOCOL_ACCESS_KEY_SECRET: secretAccessKey } = values;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
    const [name, other] = ['S3_PROTOCOL_ACCESS_KEY_ID', 'S3_PROTOCOL_ACCESS_KEY_SECRET'] as const;
    throw new ConfigError([
      accessKeyId === undefined
        ? { name, value: '', allowed: `a text, since ${other} is set` }
        : { name: other, value: '', allowed: `a text, since ${name} is set` },
    ]);
  }
  return {
    isEnabled: values.S3_PROTOCOL_ENABLED,
    region: values.S3_PROTOCOL_REGION,
    enforcesRegion: values.S3_PROTOCOL_ENFORCE_REGION,
    uploadExpiryMs: values.S3_PROTOCOL_UPLOAD_EXPIRY_MS,
    accessKeyId,
    secretAccessKey,
  };
}

function s3Store(values: Values<typeof storageVariables>): S3StoreConfig | undefined {
  const {
    S3_BUCKET: bucket,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  } = values;
  if (bucket === undefined) {
    // Objects would end up in the data folder, and be missed in the store only later.
    if (values.S3_ENDPOINT === undefined) return undefined;
    throw new ConfigError([
      { name: 'S3_BUCKET', value: '', allowed: 'a bucket of the store, since S3_ENDPOINT is set' },
    ]);
  }
  return {
    endpoint: values.S3_ENDPOINT,
    bucket,
    region: values.S3_REGION ?? values.AWS_REGION ?? 'us-east-1',
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
    credentials:
      accessKeyId !== undefined && secretAccessKey !== undefined
        ? { accessKeyId, secretAccessKey }
        : undefined,
  };
}
