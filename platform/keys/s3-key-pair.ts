/** Key pairs with which clients of the S3 protocol sign requests. */
import { randomBytes } from 'node:crypto';

export interface S3KeyPair {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Generates a key pair of the same lengths as those of the hosted service: 32 and 64 hexadecimal digits. */
export function generateS3KeyPair(): S3KeyPair {
  return { accessKeyId: randomBytes(16).toString('hex'), secretAccessKey: randomBytes(32).toString('hex') };
}

/** Returns the configured pair, otherwise that of the key file. Throws if neither exists. */
export function s3KeyPairOf(
  configured: { accessKeyId: string | undefined; secretAccessKey: string | undefined },
  file: { s3KeyPair?: S3KeyPair },
): S3KeyPair {
  const { accessKeyId, secretAccessKey } = configured;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { accessKeyId, secretAccessKey };
  if (file.s3KeyPair === undefined)
    throw new Error('keys.json has no keys of the S3 protocol yet. Start the server once.');
  return file.s3KeyPair;
}
