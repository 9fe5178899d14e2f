/** Requests of the server to URLs that its users or other servers determine. */
export { fetchJson } from './fetch-json.ts';
export { ownOrigins } from './own-origins.ts';
export { isPrivateAddress, PRIVATE_RANGES_4 } from './private-address.ts';
export { createLookup, lookupPublic, PrivateAddressError, rejectPrivateHost } from './public-lookup.ts';
