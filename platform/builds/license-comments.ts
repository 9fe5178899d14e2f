/**
 * The bundler's option for the comments in a bundle for Node.js: V8 keeps the source of each loaded file in memory, so
 * only licenses stay. Lines and names stay as well, for readable stack traces.
 */
export const LICENSES_ONLY = { legal: true, annotation: false, jsdoc: false };
