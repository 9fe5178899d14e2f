/**
 * Names in an archive:
 *
 *     backups/<id>.json, backups/<id>.references, checks/<id>.json
 *     wal/<system id>-<timeline>/<start>-<end>, wal/<system id>-<timeline>/head.json
 *     content/<system id>-<timeline>/<time>-<number>
 *
 * A lineage is a history of a database: the system id of its cluster and the timeline, both decimal. Positions of the
 * write-ahead log (LSN) are 16 upper-case hexadecimal digits, so that their order is that of their texts.
 */
import { randomBytes } from 'node:crypto';

const LINEAGE = String.raw`\d{1,20}-\d{1,10}`;
const BACKUP = /^(backups|checks)\/(\d{8}T\d{6}Z-[0-9a-f]{6})\.(json|references)$/;
const LOG_PIECE = new RegExp(`^wal/(${LINEAGE})/([0-9A-F]{16})-([0-9A-F]{16})$`);
const ROUND = new RegExp(`^content/(${LINEAGE})/(\\d{8}T\\d{6}Z)-(\\d{6})$`);
const LINEAGE_FILE = new RegExp(`^(?:wal|content)/(${LINEAGE})/[^/]+$`);
const ID_BYTES = 3;

/** Patterns of values that manifests contain. */
export const BACKUP_ID = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/;
export const LOG_POSITION = /^[0-9A-F]{16}$/;
/** Names that operators give to backups. */
export const BACKUP_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** A piece of the log that is stored. */
interface LogPiece {
  lineage: string;
  /** Positions of its first byte, and of the byte after its last one. */
  start: string;
  end: string;
}

/** A round of content: objects that were added since the previous one. */
interface RoundName {
  lineage: string;
  /** As in ids of backups, e.g. `20261127T101500Z`. */
  time: string;
  number: number;
}

/** Returns a time to the second as it is part of names, in UTC, e.g. `20261127T101500Z`. */
export function timeText(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Returns a new id of a backup that begins at this time. Ids have the order of their times. */
export function newBackupId(time: Date): string {
  return `${timeText(time)}-${randomBytes(ID_BYTES).toString('hex')}`;
}

export const manifestName = (id: string) => `backups/${id}.json`;
export const referencesName = (id: string) => `backups/${id}.references`;
export const checkName = (id: string) => `checks/${id}.json`;

/** Returns the id of the backup to which a file belongs, and the kind of the file; undefined for other names. */
export function parseBackupFile(
  name: string,
): { id: string; kind: 'manifest' | 'references' | 'check' } | undefined {
  const [, folder, id, extension] = BACKUP.exec(name) ?? [];
  if (id === undefined) return undefined;
  if (folder === 'checks') return extension === 'json' ? { id, kind: 'check' } : undefined;
  return { id, kind: extension === 'json' ? 'manifest' : 'references' };
}

/** Returns the name of a lineage. */
export function lineageOf({ systemId, timeline }: { systemId: string; timeline: number }): string {
  return `${systemId}-${timeline}`;
}

export const logPieceName = ({ lineage, start, end }: LogPiece) => `wal/${lineage}/${start}-${end}`;

/** Parses the name of a piece of the log; undefined for other names. */
export function parseLogPiece(name: string): LogPiece | undefined {
  const [, lineage, start, end] = LOG_PIECE.exec(name) ?? [];
  return lineage === undefined || start === undefined || end === undefined
    ? undefined
    : { lineage, start, end };
}

/** Returns the lineage of a file in `wal/` or `content/`; undefined for other names. */
export function lineageOfFile(name: string): string | undefined {
  return LINEAGE_FILE.exec(name)?.[1];
}

export const roundName = ({ lineage, time, number }: RoundName) =>
  `content/${lineage}/${time}-${String(number).padStart(6, '0')}`;

/** Parses the name of a round; undefined for other names. */
export function parseRound(name: string): RoundName | undefined {
  const [, lineage, time, number] = ROUND.exec(name) ?? [];
  if (lineage === undefined || time === undefined) return undefined;
  return { lineage, time, number: Number(number) };
}
