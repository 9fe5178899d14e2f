/**
 * The certificate of a server with HTTPS: files of the user, one of an authority, or a self-signed one, and requests that
 * trust only it.
 */

export { readAuthorities } from './authorities.ts';
export { obtainedFolder, storeObtained } from './obtained-certificate.ts';
export { parseCertificate } from './pem.ts';
export { createPinnedAgent, createPinnedFetch, pinnedTo } from './pinned-fetch.ts';
export { readServerCertificate, SELF_SIGNED_FILES, type ServerCertificate } from './server-certificate.ts';
export { loadOrCreateSelfSigned } from './stored-certificate.ts';
