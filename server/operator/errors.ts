/** The errors of the routes for operators. */
import { type CatalogueEntry, defineErrors } from '@greenroom/errors';

/** The catalogue: code → status and text. docs/reference/operator.md explains each code. */
export const operatorErrors = {
  service_key_required: { status: 403, message: 'This request needs the secret key or the service_role key' },
  address_not_allowed: {
    status: 403,
    message: 'This address may not use /operator/v1. Add it to GREENROOM_META_ALLOWED_ADDRESSES.',
  },
  invalid_request: { status: 400, message: 'The request is not valid' },
  too_many_requests: { status: 429, message: 'Too many readers follow the log' },
} as const satisfies Record<string, CatalogueEntry>;

/** Creates an error of the catalogue. */
export const failure = defineErrors(operatorErrors);
