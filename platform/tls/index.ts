/** The certificate of a server with HTTPS: files of the user, or a self-signed one, and requests that trust only it. */

export { createPinnedAgent, createPinnedFetch, pinnedTo } from './pinned-fetch.ts';
export { readServerCertificate, SELF_SIGNED_FILES, type ServerCertificate } from './server-certificate.ts';
export { loadOrCreateSelfSigned } from './stored-certificate.ts';
