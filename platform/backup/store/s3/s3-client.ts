/** The client of an S3 store. */
import { S3Client } from '@aws-sdk/client-s3';

const CONNECT_MS = 5000;
/** A connection without a byte for this time is closed. */
const SILENCE_MS = 60_000;
const MAX_SOCKETS = 32;

/** Where a bucket is, and how to sign requests. */
export interface S3Place {
  bucket: string;
  /** Path before all names, without slashes at its ends; may be empty. */
  prefix: string;
  /** URL of the store; undefined for AWS. */
  endpoint: string | undefined;
  region: string;
  /** Whether the bucket is part of the path instead of the host name. */
  forcePathStyle: boolean;
  /** Undefined: the sources of AWS's tools, e.g. `AWS_ACCESS_KEY_ID` and files. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

/** Returns a client that repeats no request: the store does that with its own pauses. */
export function createS3Client(place: S3Place, silenceMs = SILENCE_MS): S3Client {
  const { endpoint, region, forcePathStyle, credentials } = place;
  return new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
    region,
    forcePathStyle,
    maxAttempts: 1,
    // Disables checksums that not every store supports. Blobs have their own.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: silenceMs,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  });
}
