/** The part of a backup that has the database: files of a cluster, or statements and rows. */
import type { LogicalManifest, PhysicalManifest } from './archive/backups/manifest.ts';
import type { ChunkWriter } from './archive/chunks/chunk-writer.ts';

/** The fields of a manifest that only backups of one kind have. */
type StateOf<Kind extends PhysicalManifest | LogicalManifest> = Pick<
  Kind,
  'kind' | 'stopTime' | Exclude<keyof Kind, keyof LogicalManifest>
>;

/** A stored database. */
interface StoredDatabase {
  /** Ids of the chunks of the index. */
  index: string[];
  /** Files of the cluster, or tables. */
  files: number;
  bytes: number;
  state: StateOf<PhysicalManifest> | StateOf<LogicalManifest>;
}

/** Options of a {@link DatabaseSource}. */
interface SourceOptions {
  /** Id of the backup. */
  id: string;
  writer: ChunkWriter;
  /** Called with the bytes that were read, and an estimate of all bytes. */
  onProgress: (bytes: number, total?: number) => void;
  signal: AbortSignal | undefined;
}

/** Stores a database; chunks may still be on their way when it resolves. */
export type DatabaseSource = (options: SourceOptions) => Promise<StoredDatabase>;
