/** The files of a running cluster as the database of a backup. */
import type { DatabaseSource } from '../database-source.ts';
import { positionText } from '../wal/pieces.ts';
import { backupDatabase } from './backup-database.ts';

/**
 * Returns a source of backups that contain the log that their files need.
 * @param url of the superuser
 * @param onProcess called with the id of the server's process that reads the files
 */
export function physicalSource(url: string, onProcess?: (pid: number) => void): DatabaseSource {
  return async ({ id, writer, onProgress, signal }) => {
    const { index, files, bytes, ...stored } = await backupDatabase({
      url,
      label: `greenroom ${id}`,
      wal: 'contained',
      writer,
      onProcess,
      onProgress,
      ...(signal && { signal }),
    });
    const state = {
      kind: 'physical',
      systemId: stored.systemId,
      timeline: stored.timeline,
      startLsn: positionText(stored.start),
      stopLsn: positionText(stored.stop),
      stopTime: stored.stopTime.toISOString(),
      wal: 'contained',
    } as const;
    return { index, files, bytes, state };
  };
}
