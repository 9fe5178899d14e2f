/** Schemas that several routes of objects have. */

/** Of what is fetched. */
export const DOWNLOAD_QUERY = { type: 'object', properties: { download: { type: 'string' } } } as const;

/** Of what is done with a link. */
export const TOKEN_QUERY = {
  type: 'object',
  properties: { download: { type: 'string' }, token: { type: 'string' } },
  required: ['token'],
} as const;
