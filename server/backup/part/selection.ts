/** Names of the parts of a backup: a table as PostgreSQL writes it, or a bucket with a prefix of keys. */

const BUCKET = 'bucket:';
const IDENTIFIER = /^(?:"(?<quoted>(?:[^"]|"")+)"|(?<plain>[\p{L}_][\p{L}\p{N}_$]*))/u;
const DEFAULT_SCHEMA = 'public';

/** A table. */
export interface TableSelection {
  kind: 'table';
  schema: string;
  name: string;
}

/** The objects of a bucket whose keys begin with a prefix, which may be empty. */
export interface BucketSelection {
  kind: 'bucket';
  bucket: string;
  prefix: string;
}

/** A part of a backup. */
export type Selection = TableSelection | BucketSelection;

/** Parses e.g. `todos`, `public."Todos"` or `bucket:files/2026/`. Throws a sentence about invalid text. */
export function parseSelection(text: string): Selection {
  return text.startsWith(BUCKET) ? parseBucket(text) : parseTable(text);
}

/** Parses names, each one once. */
export function parseSelections(texts: readonly string[]): Selection[] {
  return [...new Map(texts.map(parseSelection).map((part) => [JSON.stringify(part), part])).values()];
}

function parseBucket(text: string): BucketSelection {
  const [, bucket = '', prefix = ''] = /^([^/]*)\/?(.*)$/s.exec(text.slice(BUCKET.length)) ?? [];
  if (bucket === '')
    throw new Error(`--only="${text}" names no bucket. Use e.g. bucket:files or bucket:files/2026/`);
  return { kind: 'bucket', bucket, prefix };
}

function parseTable(text: string): TableSelection {
  const first = IDENTIFIER.exec(text);
  const rest = first === null ? text : text.slice(first[0].length);
  const second = rest.startsWith('.') ? IDENTIFIER.exec(rest.slice(1)) : null;
  const end = second === null ? rest : rest.slice(1 + second[0].length);
  if (first === null || end !== '')
    throw new Error(
      `--only="${text}" is not allowed. Allowed: a table such as todos, public.todos or 'public."Todos"', or a bucket such as bucket:files or bucket:files/2026/`,
    );
  if (second === null) return { kind: 'table', schema: DEFAULT_SCHEMA, name: nameOf(first) };
  return { kind: 'table', schema: nameOf(first), name: nameOf(second) };
}

/** PostgreSQL changes only ASCII letters of names without quotes. */
function nameOf({ groups: { quoted, plain = '' } = {} }: RegExpExecArray): string {
  if (quoted !== undefined) return quoted.replaceAll('""', '"');
  return plain.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
