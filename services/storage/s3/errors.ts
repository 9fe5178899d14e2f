/** Errors of the S3 protocol, in addition to the catalogue of storage. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/** Documented in docs/reference/storage-s3.md. */
export const s3Errors = {
  RequestTimeTooSkewed: {
    status: 403,
    message: 'The difference between the time of the request and the time of the server is too large.',
  },
  HeadersNotSigned: { status: 403, message: 'There are headers in the request that have not been signed' },
  IncompleteBody: { status: 400, message: 'The body does not match its headers' },
  EntityTooSmall: { status: 400, message: 'The object is smaller than the policy allows' },
  PreconditionFailed: { status: 412, message: 'A precondition of the request failed' },
  InvalidArgument: { status: 400, message: 'An argument of the request is invalid' },
  InvalidPart: { status: 400, message: 'A part does not match the uploaded part' },
  InvalidPartOrder: { status: 400, message: 'The parts are not in ascending order' },
  NotImplemented: { status: 501, message: 'This operation is not supported' },
  MethodNotAllowed: { status: 405, message: 'The method is not allowed for this resource' },
} as const satisfies Record<string, CatalogueEntry>;

/** Creates an error of the catalogue. */
export const s3Failure = defineErrors(s3Errors);
