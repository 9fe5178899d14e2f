/** The guard in front of every route: the service key, from the pages of this process or from an allowed address. */
import { hasServiceRoleKey, isFromOwnPages, trustedProxyCheck } from '@greenroom/http';
import type { ApiKeyReader } from '@greenroom/keys';
import type { FastifyRequest } from 'fastify';
import { failure } from '../errors.ts';

/** Options of {@link createAccessCheck}. */
interface AccessOptions {
  readApiKey: ApiKeyReader;
  /** Addresses and CIDR ranges. */
  allowedAddresses: readonly string[];
}

/** Returns a check that rejects with an error of the catalogue. */
export function createAccessCheck({ readApiKey, allowedAddresses }: AccessOptions) {
  const isAllowed = trustedProxyCheck(allowedAddresses);
  return async (request: FastifyRequest): Promise<void> => {
    // A user's token of the role service_role does not exist; the key itself is required.
    if (!(await hasServiceRoleKey(request, readApiKey))) throw failure('service_key_required');
    if (!isFromOwnPages(request) && !isAllowed(request.ip)) throw failure('address_not_allowed');
  };
}
