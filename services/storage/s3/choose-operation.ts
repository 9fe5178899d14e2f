/** Selects the operation of a request by its method, target, query parameters and headers. */
import { s3Failure } from './errors.ts';
import { ABORT_MULTIPART } from './multipart/abort.ts';
import { CREATE_MULTIPART } from './multipart/begin.ts';
import { COMPLETE_MULTIPART } from './multipart/complete.ts';
import { LIST_MULTIPART, LIST_PARTS } from './multipart/list.ts';
import { UPLOAD_PART, UPLOAD_PART_COPY } from './multipart/part.ts';
import {
  CREATE_BUCKET,
  DELETE_BUCKET,
  GET_BUCKET_LOCATION,
  GET_BUCKET_VERSIONING,
  HEAD_BUCKET,
  LIST_BUCKETS,
} from './operations/buckets.ts';
import { COPY_OBJECT } from './operations/copy-object.ts';
import { DELETE_OBJECT, DELETE_OBJECTS } from './operations/delete-objects.ts';
import { GET_OBJECT, GET_OBJECT_TAGGING, HEAD_OBJECT } from './operations/get-object.ts';
import { LIST_OBJECTS, LIST_OBJECTS_V2 } from './operations/list-objects.ts';
import { LIST_OBJECT_VERSIONS, NULL_VERSION } from './operations/list-versions.ts';
import { PUT_OBJECT } from './operations/put-object.ts';
import type { Operation } from './request/s3-request.ts';
import type { Target } from './request/target.ts';
import type { Headers } from './signature/sent-signature.ts';

/** The parts of a request that determine its operation. */
interface Choice {
  method: string;
  target: Target;
  query: ReadonlyMap<string, string>;
  headers: Headers;
}

/** A rule that matches requests. The first matching rule applies. */
interface Rule {
  method: string;
  /** Required query parameters, optionally with a value. */
  query?: readonly string[];
  hasCopySource?: true;
  operation: Operation;
}

const SERVICE: readonly Rule[] = [{ method: 'GET', operation: LIST_BUCKETS }];
const BUCKET: readonly Rule[] = [
  { method: 'GET', query: ['location'], operation: GET_BUCKET_LOCATION },
  { method: 'GET', query: ['versioning'], operation: GET_BUCKET_VERSIONING },
  { method: 'GET', query: ['uploads'], operation: LIST_MULTIPART },
  { method: 'GET', query: ['versions'], operation: LIST_OBJECT_VERSIONS },
  { method: 'GET', query: ['list-type=2'], operation: LIST_OBJECTS_V2 },
  { method: 'GET', operation: LIST_OBJECTS },
  { method: 'PUT', operation: CREATE_BUCKET },
  { method: 'HEAD', operation: HEAD_BUCKET },
  { method: 'DELETE', operation: DELETE_BUCKET },
  { method: 'POST', query: ['delete'], operation: DELETE_OBJECTS },
];
const OBJECT: readonly Rule[] = [
  { method: 'GET', query: ['tagging'], operation: GET_OBJECT_TAGGING },
  { method: 'GET', query: ['uploadId'], operation: LIST_PARTS },
  { method: 'GET', operation: GET_OBJECT },
  { method: 'HEAD', operation: HEAD_OBJECT },
  { method: 'PUT', query: ['uploadId', 'partNumber'], hasCopySource: true, operation: UPLOAD_PART_COPY },
  { method: 'PUT', query: ['uploadId', 'partNumber'], operation: UPLOAD_PART },
  { method: 'PUT', hasCopySource: true, operation: COPY_OBJECT },
  { method: 'PUT', operation: PUT_OBJECT },
  { method: 'POST', query: ['uploads'], operation: CREATE_MULTIPART },
  { method: 'POST', query: ['uploadId'], operation: COMPLETE_MULTIPART },
  { method: 'DELETE', query: ['uploadId'], operation: ABORT_MULTIPART },
  { method: 'DELETE', operation: DELETE_OBJECT },
];

/**
 * Sub-resources of buckets and objects that are not supported. GET and HEAD ignore the parameter and read the bucket or
 * object itself, as in the hosted service; a write or deletion of a sub-resource must not affect the bucket or object
 * itself.
 */
const SUB_RESOURCES = [
  ...[
    'accelerate',
    'acl',
    'analytics',
    'cors',
    'encryption',
    'intelligent-tiering',
    'inventory',
    'legal-hold',
  ],
  ...['lifecycle', 'logging', 'metadataTable', 'metrics', 'notification', 'object-lock', 'ownershipControls'],
  ...[
    'policy',
    'publicAccessBlock',
    'replication',
    'requestPayment',
    'restore',
    'retention',
    'select',
    'tagging',
  ],
  ...['torrent', 'versioning', 'versionId', 'website', 'append'],
];

/**
 * Returns the operation. Throws NotImplemented for unsupported sub-resources, and MethodNotAllowed for methods that S3
 * does not define either.
 */
export function chooseOperation(choice: Choice): Operation {
  const { method, query } = choice;
  if (method !== 'GET' && method !== 'HEAD') {
    const sub = SUB_RESOURCES.find((name) => query.has(name) && !isOnlyVersion(choice, name));
    if (sub !== undefined) throw s3Failure('NotImplemented', { message: `${sub} is not supported` });
  }
  const operation = rulesFor(choice.target).find((rule) => matches(rule, choice))?.operation;
  if (operation === undefined) throw s3Failure('MethodNotAllowed');
  return operation;
}

/** Whether a parameter names the only version of an object, so that deleting the version deletes the object. */
function isOnlyVersion({ method, query }: Choice, name: string): boolean {
  return method === 'DELETE' && name === 'versionId' && query.get(name) === NULL_VERSION;
}

function rulesFor({ bucket, key }: Target): readonly Rule[] {
  if (bucket === '') return SERVICE;
  return key === '' ? BUCKET : OBJECT;
}

function matches({ method, query: required = [], hasCopySource }: Rule, choice: Choice): boolean {
  if (method !== choice.method) return false;
  if (hasCopySource && choice.headers['x-amz-copy-source'] === undefined) return false;
  return required.every((one) => {
    const [name = '', value] = one.split('=');
    return value === undefined ? choice.query.has(name) : choice.query.get(name) === value;
  });
}
