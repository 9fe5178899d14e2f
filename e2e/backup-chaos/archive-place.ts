/** Places of archives: a folder, or a bucket of an S3 server in this process. */
import { cp } from 'node:fs/promises';
import { startTestS3 } from '@greenroom/backup/testing';

/** A place of one archive. */
export interface ArchivePlace {
  kind: 'folder' | 'S3';
  /** The settings of an instance with this archive. */
  env: Record<string, string>;
  /** Keeps the present state in another folder, if the place can be copied. */
  keep(folder: string): Promise<void>;
  close(): Promise<void>;
}

export function folderPlace(folder: string): ArchivePlace {
  return {
    kind: 'folder',
    env: { GREENROOM_BACKUP_URL: folder },
    keep: (copy) => cp(folder, copy, { recursive: true }),
    close: async () => undefined,
  };
}

/** Starts the server. */
export async function s3Place(): Promise<ArchivePlace> {
  const server = await startTestS3();
  const { bucket, prefix, endpoint = '', region, credentials } = server.place;
  return {
    kind: 'S3',
    env: {
      GREENROOM_BACKUP_URL: `s3://${bucket}/${prefix}?${new URLSearchParams({ endpoint, region })}`,
      GREENROOM_BACKUP_S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
      GREENROOM_BACKUP_S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    },
    keep: async () => undefined,
    close: () => server.close(),
  };
}
