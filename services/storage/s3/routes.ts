/** The Fastify plugin of the S3 protocol: every path below its prefix is a bucket and a key. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { setClient } from '../fair-database.ts';
import { acquireSlot, limitKeysOf } from '../limits.ts';
import { pathOf } from '../request/path.ts';
import { addressOf } from '../request/request-details.ts';
import type { RequestDetails } from '../scope.ts';
import { chooseOperation } from './choose-operation.ts';
import { GET_OBJECT } from './operations/get-object.ts';
import { postObject } from './operations/post-object.ts';
import { addressesOf } from './request/addresses.ts';
import { authenticateRequest } from './request/authenticate.ts';
import { bodyOf } from './request/body.ts';
import type { S3Response } from './request/s3-request.ts';
import { readTarget, type Target } from './request/target.ts';
import { createS3ErrorHandler, sendResponse } from './respond.ts';
import type { SignedRequest } from './signature/canonical.ts';
import { parseQuery } from './signature/query.ts';
import { readSignature } from './signature/sent-signature.ts';

/** Options of {@link s3Routes}. */
interface S3RoutesOptions {
  context: Context;
}

const UNSIGNED = 'Missing signature: requests must be signed with AWS Signature Version 4';

/** Registers all routes. */
export const s3Routes: FastifyPluginAsync<S3RoutesOptions> = async (server, { context }) => {
  const relativePath = ({ url }: FastifyRequest) => splitTarget(url.slice(server.prefix.length)).path;
  server.removeAllContentTypeParsers();
  // Operations read bodies after the sender is authenticated.
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.setErrorHandler(createS3ErrorHandler(relativePath));
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<S3Response> => {
    const target = readTarget(relativePath(request));
    if (isForm(request, target)) {
      return postObject(context, {
        target,
        raw: request.raw,
        requestDetails: (name) => requestDetailsOf(request, name),
      });
    }
    const signed = signedRequestOf(request);
    const query = new Map(signed.query);
    const operation = chooseOperation({ method: request.method, target, query, headers: signed.headers });
    const signature = readSignature(signed.headers, signed.query);
    if (signature === undefined) throw failure('AccessDenied', { message: UNSIGNED });
    const addresses = addressesOf(signed.headers, context.config.externalUrl);
    const sender = await authenticateRequest(context, signature, signed, addresses);
    const access = { caller: sender.caller, request: requestDetailsOf(request, operation.name) };
    setClient(limitKeysOf(access));
    if (operation === GET_OBJECT) {
      const release = await acquireSlot(context.limits.downloads, limitKeysOf(access));
      if (reply.raw.destroyed) release();
      else reply.raw.once('close', release);
    }
    return operation.run({
      context,
      access,
      target,
      query,
      headers: signed.headers,
      body: bodyOf(request.raw, signed.headers, sender),
    });
  };
  for (const url of ['/', '/*']) {
    server.route({
      method: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
      url,
      exposeHeadRoute: false,
      handler: async (request, reply) => sendResponse(reply, await handle(request, reply)),
    });
  }
};

/** Whether the request is a form, whose signature is in its fields. */
function isForm({ method, headers }: FastifyRequest, { bucket, key }: Target): boolean {
  const type = headers['content-type'] ?? '';
  return method === 'POST' && bucket !== '' && key === '' && /^multipart\/form-data/i.test(type);
}

function requestDetailsOf(request: FastifyRequest, operation: string): RequestDetails {
  const { method, headers } = request;
  return {
    operation,
    method,
    path: pathOf(request),
    headers: JSON.stringify(headers),
    address: addressOf(request),
  };
}

/** Returns the request as the client sent it, before rewrites of its path. */
function signedRequestOf({ method, originalUrl, raw }: FastifyRequest): SignedRequest {
  const { path, query } = splitTarget(originalUrl);
  return { method, path, query: parseQuery(query), headers: raw.headersDistinct };
}

function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}
