/** DeleteObject and DeleteObjects: deleting a missing object succeeds. */
import { CatalogueError } from '@greenroom/errors';
import { requireBucket } from '../../buckets/read.ts';
import { failure } from '../../errors.ts';
import { removeObject, removeObjects } from '../../objects/remove.ts';
import { selectNames } from '../../rows/objects.ts';
import { readXmlBody } from '../request/body.ts';
import type { Operation } from '../request/s3-request.ts';
import { childrenOf, textOf, type XmlElement } from '../xml/read.ts';
import { xmlDocument } from '../xml/write.ts';
import { NULL_VERSION } from './list-versions.ts';

const MAX_OBJECTS = 1000;

/** Deletes an object. Throws NoSuchBucket, and AccessDenied if the object exists but the caller may not delete it. */
export const DELETE_OBJECT: Operation = {
  name: 'storage.s3.object.delete',
  async run({ context, access, target }) {
    try {
      await removeObject(context, access, target);
    } catch (error) {
      if (!(error instanceof CatalogueError) || error.code !== 'NoSuchKey') throw error;
      await requireBucket(context, target.bucket);
    }
    return { status: 204 };
  },
};

/** Deletes up to a thousand objects, and reports those that still exist. */
export const DELETE_OBJECTS: Operation = {
  name: 'storage.s3.object.delete_many',
  async run({ context, access, target, body }) {
    const { deletions, isQuiet } = readDelete(await readXmlBody(body));
    const { bucket } = target;
    await requireBucket(context, bucket);
    const [current, others] = partition(
      deletions,
      ({ versionId = NULL_VERSION }) => versionId === NULL_VERSION,
    );
    const versionIds = new Map(current.map(({ key, versionId }) => [key, versionId]));
    const keys = [...versionIds.keys()];
    const removed = new Set((await removeObjects(context, access, bucket, keys)).map(({ name }) => name));
    const notRemoved = keys.filter((key) => !removed.has(key));
    const left = await context.database.query<{ name: string }>(selectNames(bucket, notRemoved));
    const leftNames = new Set(left.map(({ name }) => name));
    const deleted = isQuiet ? [] : keys.filter((key) => !leftNames.has(key));
    return {
      xml: xmlDocument('DeleteResult', {
        Deleted: deleted.map((key) => ({ Key: key, VersionId: versionIds.get(key) })),
        Error: [
          ...[...leftNames].map((key) => ({ Key: key, Code: 'AccessDenied', Message: 'Access Denied' })),
          ...others.map(({ key, versionId }) => ({ Key: key, VersionId: versionId, ...NO_SUCH_VERSION })),
        ],
      }),
    };
  },
};

const NO_SUCH_VERSION = { Code: 'NoSuchVersion', Message: 'The specified version does not exist' };

interface Deletion {
  key: string;
  /** Undefined if the request does not name a version. */
  versionId: string | undefined;
}

/** Parses the request body. Throws MalformedXML. */
function readDelete(root: XmlElement | undefined): { deletions: Deletion[]; isQuiet: boolean } {
  if (root?.name !== 'Delete') throw malformed('The root element must be Delete');
  const deletions = childrenOf(root, 'Object').map((object) => {
    const key = textOf(object, 'Key');
    if (key === undefined) throw malformed('Each Object must have a Key');
    return { key, versionId: textOf(object, 'VersionId')?.trim() || undefined };
  });
  if (deletions.length > MAX_OBJECTS) {
    throw malformed(`A request must not have more than ${MAX_OBJECTS} objects`);
  }
  return { deletions, isQuiet: textOf(root, 'Quiet')?.trim() === 'true' };
}

function partition<T>(items: readonly T[], matches: (item: T) => boolean): [matching: T[], others: T[]] {
  return [items.filter(matches), items.filter((item) => !matches(item))];
}

function malformed(message: string): Error {
  return failure('MalformedXML', { message });
}
