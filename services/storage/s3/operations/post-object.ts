/** PostObject: an upload by an HTML form. The signer of the form's policy lets others send it. */
import type { IncomingMessage } from 'node:http';
import { pipeline, Transform, type TransformCallback } from 'node:stream';
import { ANONYMOUS } from '../../caller.ts';
import type { Context } from '../../context.ts';
import { failure } from '../../errors.ts';
import { limitKeysOf, runLimited } from '../../limits.ts';
import { uploadInPlace } from '../../objects/upload.ts';
import type { RequestDetails } from '../../scope.ts';
import { requireSmallMetadata } from '../../validate/user-metadata.ts';
import { s3Failure } from '../errors.ts';
import { authenticateForm } from '../request/authenticate.ts';
import { type S3Response, userMetadataFrom } from '../request/s3-request.ts';
import type { Target } from '../request/target.ts';
import { requirePolicy, type SizeRange } from '../signature/policy.ts';
import { readFormSignature } from '../signature/sent-signature.ts';
import { xmlDocument } from '../xml/write.ts';
import { DEFAULT_CACHE } from './put-object.ts';

/** Limits of the fields, which are parsed before the signer is authenticated. */
const LIMITS = { fields: 40, fieldSize: 64 * 1024 };
const OPERATION = 'storage.s3.upload';

/** A form that has not been parsed yet. */
interface FormRequest {
  target: Target;
  raw: IncomingMessage;
  requestDetails(operation: string): RequestDetails;
}

/**
 * Uploads the file of a form. Throws InvalidSignature, AccessDenied, SignatureDoesNotMatch and the errors of uploads.
 */
export async function postObject(context: Context, form: FormRequest): Promise<S3Response> {
  // The signer is unknown until the form is parsed, so the request is counted under its address.
  const client = limitKeysOf({ caller: ANONYMOUS, request: form.requestDetails(OPERATION) });
  return runLimited(context.limits.uploads, client, () => processForm(context, form));
}

async function processForm(
  context: Context,
  { target, raw, requestDetails }: FormRequest,
): Promise<S3Response> {
  const { bucket } = target;
  const { readForm } = await import('../../content/form.ts');
  const form = await readForm(raw.headers, raw, LIMITS);
  const fields = new Map([...form.fields].map(([name, value]) => [name.toLowerCase(), value]));
  const policy = fields.get('policy') ?? '';
  const { caller } = await authenticateForm(context, readFormSignature(fields), policy);
  const sizes = requirePolicy(policy, new Map([...fields, ['bucket', bucket]]), Date.now());
  const key = fields.get('key') ?? '';
  if (key === '') throw failure('MissingParameter', { message: 'Missing Required Parameter key' });
  const row = await uploadInPlace(
    context,
    { access: { caller, request: requestDetails(OPERATION) } },
    { bucket, key, isUpsert: true, instanceLimit: context.config.maxStandardBytes, by: 's3' },
    async () => ({
      content: pipeline(form.file, new SizeCheck(sizes), () => undefined),
      mimeType: fields.get('content-type') ?? form.mimeType,
      cacheControl: fields.get('cache-control') ?? DEFAULT_CACHE,
      userMetadata: requireSmallMetadata(userMetadataFrom(fields)),
    }),
  );
  return responseFor(fields.get('success_action_status'), { bucket, key, eTag: row.metadata?.eTag });
}

/** Responds with the status that the form requests: old browsers do not handle an empty response well. */
function responseFor(
  requested: string | undefined,
  { bucket, key, eTag }: Target & { eTag: string | undefined },
): S3Response {
  const headers = { etag: eTag };
  if (requested === '204') return { status: 204, headers };
  if (requested !== '201') return { headers };
  const fields = { Location: `${bucket}/${key}`, Bucket: bucket, Key: key, ETag: eTag };
  return { status: 201, headers, xml: xmlDocument('PostResponse', fields) };
}

/** Enforces the size range of a policy. */
class SizeCheck extends Transform {
  readonly #sizes: SizeRange;
  #size = 0;

  constructor(sizes: SizeRange) {
    super();
    this.#sizes = sizes;
  }

  override _transform(data: Buffer, _encoding: string, done: TransformCallback): void {
    this.#size += data.length;
    if (this.#size > this.#sizes.max) done(failure('EntityTooLarge'));
    else done(null, data);
  }

  override _flush(done: TransformCallback): void {
    done(this.#size < this.#sizes.min ? s3Failure('EntityTooSmall') : null);
  }
}
