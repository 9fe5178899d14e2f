/** Schemas that several object routes share. */

/** Query of downloads. */
export const DOWNLOAD_QUERY = { type: 'object', properties: { download: { type: 'string' } } } as const;

/** Query of requests with a link. */
export const TOKEN_QUERY = {
  type: 'object',
  properties: { download: { type: 'string' }, token: { type: 'string' } },
  required: ['token'],
} as const;
