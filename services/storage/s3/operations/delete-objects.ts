/** DeleteObject and DeleteObjects: deleting a missing object succeeds. */
import { CatalogueError } from '@greenroom/errors';
import { requireBucket } from '../../buckets/read.ts';
import { failure } from '../../errors.ts';
import { removeObject, removeObjects } from '../../objects/remove.ts';
import { selectNames } from '../../objects/rows.ts';
import { readXmlBody } from '../request/body.ts';
import type { Operation } from '../request/s3-request.ts';
import { childrenOf, textOf, type XmlElement } from '../xml/read.ts';
import { xmlDocument } from '../xml/write.ts';

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
    const { keys, isQuiet } = readDelete(await readXmlBody(body));
    const { bucket } = target;
    await requireBucket(context, bucket);
    const removed = new Set((await removeObjects(context, access, bucket, keys)).map(({ name }) => name));
    const others = keys.filter((key) => !removed.has(key));
    const left = await context.database.query<{ name: string }>(selectNames(bucket, others));
    const leftNames = new Set(left.map(({ name }) => name));
    const deleted = isQuiet ? [] : keys.filter((key) => !leftNames.has(key));
    return {
      xml: xmlDocument('DeleteResult', {
        Deleted: deleted.map((key) => ({ Key: key })),
        Error: [...leftNames].map((key) => ({ Key: key, Code: 'AccessDenied', Message: 'Access Denied' })),
      }),
    };
  },
};

/** Parses the request body. Throws MalformedXML. */
function readDelete(root: XmlElement | undefined): { keys: string[]; isQuiet: boolean } {
  if (root?.name !== 'Delete') throw malformed('The root element must be Delete');
  const keys = childrenOf(root, 'Object').map((object) => {
    const key = textOf(object, 'Key');
    if (key === undefined) throw malformed('Each Object must have a Key');
    return key;
  });
  if (keys.length > MAX_OBJECTS) throw malformed(`A request must not have more than ${MAX_OBJECTS} objects`);
  return { keys: [...new Set(keys)], isQuiet: textOf(root, 'Quiet')?.trim() === 'true' };
}

function malformed(message: string): Error {
  return failure('MalformedXML', { message });
}
