/** Finds buckets of a backup, and their objects. */
import { contentIndexOf, isContentVersion } from '@greenroom/backup';
import type { Session } from '@greenroom/postgres';
import { nameHint } from './name-hint.ts';
import type { BucketSelection } from './selection.ts';

const ROWS = 5000;

/** Objects of a bucket. */
export interface SelectedBucket {
  /** Id of the bucket. */
  bucket: string;
  prefix: string;
  count: number;
  bytes: number;
}

/** Finds a bucket of the backup by its id or name. Throws a sentence if it, or objects with the prefix, do not exist. */
export async function findBucket(session: Session, selection: BucketSelection): Promise<SelectedBucket> {
  const { bucket: wanted, prefix } = selection;
  const [buckets = []] = await session.batch([
    { text: 'select id, name from storage.buckets order by id = $1 desc, id', values: [wanted] },
  ]);
  const found = buckets.find(({ id, name }) => id === wanted || name === wanted);
  if (found === undefined)
    throw new Error(
      `the backup has no bucket ${wanted}. ${nameHint(
        wanted,
        buckets.map(({ id }) => String(id)),
      )}`,
    );
  const bucket = String(found.id);
  const [[sums] = []] = await session.batch([
    {
      text: `select count(*)::float8 as count, coalesce(sum(storage.object_bytes(version, metadata)), 0)::float8 as bytes
        from storage.objects where bucket_id = $1 and starts_with(name, $2)`,
      values: [bucket, prefix],
    },
  ]);
  const { count, bytes } = sums as unknown as { count: number; bytes: number };
  if (count === 0 && prefix !== '')
    throw new Error(`the bucket ${bucket} of the backup has no object whose key begins with ${prefix}`);
  return { bucket, prefix, count, bytes };
}

/** Objects whose versions begin with the same digits, so that one index of the backup has their content. */
interface ObjectGroup {
  /** Name of the index. */
  index: string;
  /** Keys by the versions of their content. */
  keys: Map<string, string>;
}

/** Options of {@link objectGroups}. */
interface ObjectGroupsOptions {
  selected: SelectedBucket;
  /** Called with the key of each row that names no content. */
  onWithoutContent: (key: string) => void;
}

/** Yields all objects in groups, so that only a part of a large bucket is in memory. Leaves a transaction open. */
export async function* objectGroups(
  session: Session,
  { selected: { bucket, prefix }, onWithoutContent }: ObjectGroupsOptions,
): AsyncGenerator<ObjectGroup> {
  let group: ObjectGroup | undefined;
  for await (const { version, name } of objectsOf(session, bucket, prefix)) {
    if (!isContentVersion(version)) {
      onWithoutContent(name);
      continue;
    }
    const index = contentIndexOf(version);
    if (group !== undefined && group.index !== index) yield group;
    if (group?.index !== index) group = { index, keys: new Map() };
    group.keys.set(version, name);
  }
  if (group !== undefined) yield group;
}

async function* objectsOf(
  session: Session,
  bucket: string,
  prefix: string,
): AsyncGenerator<{ version: string | null; name: string }> {
  await session.batch([
    { text: 'begin read only' },
    {
      text: `declare objects no scroll cursor for select version, name from storage.objects
        where bucket_id = $1 and starts_with(name, $2) order by version collate "C"`,
      values: [bucket, prefix],
    },
  ]);
  for (;;) {
    const [rows = []] = await session.batch([{ text: `fetch ${ROWS} from objects` }]);
    if (rows.length === 0) break;
    yield* rows as { version: string | null; name: string }[];
  }
  await session.batch([{ text: 'commit' }]);
}
