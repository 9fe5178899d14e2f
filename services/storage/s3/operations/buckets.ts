import { createBucket } from '../../buckets/create.ts';
import { findBucket, listBuckets } from '../../buckets/read.ts';
import { removeBucket } from '../../buckets/remove.ts';
import { headerOf, type Operation } from '../request/s3-request.ts';
import { xmlDocument } from '../xml/write.ts';

/** Lists the buckets that the caller may see. */
export const LIST_BUCKETS: Operation = {
  name: 'storage.s3.bucket.list',
  async run({ context, access }) {
    const rows = await listBuckets(context, access, { sortColumn: 'name', sortOrder: 'asc' });
    const buckets = rows.map(({ name, created_at }) => ({
      Name: name,
      CreationDate: created_at ?? undefined,
    }));
    return { xml: xmlDocument('ListAllMyBucketsResult', { Buckets: { Bucket: buckets } }) };
  },
};

/** Creates a bucket, public with `x-amz-acl: public-read`. The body, e.g. with a region, is ignored. */
export const CREATE_BUCKET: Operation = {
  name: 'storage.s3.bucket.create',
  async run(request) {
    const { context, access, target } = request;
    const isPublic = headerOf(request, 'x-amz-acl') === 'public-read';
    await createBucket(context, access, { name: target.bucket, public: isPublic });
    return { headers: { location: `/${encodeURIComponent(target.bucket)}` } };
  },
};

/** Checks whether the bucket exists and the caller may see it. */
export const HEAD_BUCKET: Operation = {
  name: 'storage.s3.bucket.head',
  async run({ context, access, target }) {
    await findBucket(context, access, target.bucket);
    return { headers: { 'x-amz-bucket-region': context.config.s3Protocol.region } };
  },
};

/** Deletes an empty bucket. */
export const DELETE_BUCKET: Operation = {
  name: 'storage.s3.bucket.delete',
  async run({ context, access, target }) {
    await removeBucket(context, access, target.bucket);
    return { status: 204 };
  },
};

/** Returns the region that clients sign for. */
export const GET_BUCKET_LOCATION: Operation = {
  name: 'storage.s3.bucket.get_location',
  async run({ context, access, target }) {
    await findBucket(context, access, target.bucket);
    return { xml: xmlDocument('LocationConstraint', context.config.s3Protocol.region) };
  },
};

/** Versioning is not supported, so it is always reported as suspended. */
export const GET_BUCKET_VERSIONING: Operation = {
  name: 'storage.s3.bucket.get_versioning',
  async run({ context, access, target }) {
    await findBucket(context, access, target.bucket);
    return { xml: xmlDocument('VersioningConfiguration', { Status: 'Suspended', MfaDelete: 'Disabled' }) };
  },
};
