/** Small backups, for tests. */
import { randomBytes } from 'node:crypto';
import type { Archive } from '../archive.ts';
import { writeBackup } from '../backups/backups.ts';
import type { Manifest, PhysicalManifest } from '../backups/manifest.ts';
import { createChunkWriter } from '../chunks/chunk-writer.ts';
import { writeIndex } from '../chunks/index-file.ts';
import { listChunks } from '../chunks/list-chunks.ts';
import { newBackupId } from '../layout.ts';

type PhysicalFields = Omit<PhysicalManifest, 'references'>;

/** Returns a manifest without content, with these values. */
export function testManifest(fields: Partial<PhysicalFields> = {}): PhysicalFields {
  const createdAt = fields.createdAt ?? '2026-11-27T10:15:00.000Z';
  return {
    id: newBackupId(new Date(createdAt)),
    kind: 'physical',
    createdAt,
    finishedAt: createdAt,
    greenroomVersion: '0.1.0',
    postgresVersion: '18.1',
    systemId: '7345678901234567890',
    timeline: 1,
    startLsn: '0000000001000000',
    stopLsn: '0000000002000000',
    stopTime: createdAt,
    wal: 'archived',
    databaseBytes: 0,
    databaseFiles: 0,
    contentBytes: 0,
    contentCount: 0,
    storedBytes: 0,
    indexes: {},
    ...fields,
  };
}

/** Writes a backup of these pieces, which its index `database` lists. */
export async function writeTestBackup(
  archive: Archive,
  pieces: readonly Buffer[] = [randomBytes(100)],
  fields: Partial<PhysicalFields> = {},
): Promise<Manifest> {
  const writer = createChunkWriter(archive, await listChunks(archive.store));
  const ids: string[] = [];
  for (const piece of pieces) ids.push(await writer.write(piece));
  const database = await writeIndex(writer, ids);
  await writer.finish();
  return writeBackup(archive, testManifest({ ...fields, indexes: { database } }), writer.references());
}
