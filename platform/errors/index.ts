/**
 * Errors as a closed catalogue: each service declares its codes once, throws only these, and converts them to its own
 * documented format in one handler. This module contains the catalogue type, and no wire format.
 */
export { type CatalogueEntry, CatalogueError, defineErrors } from './catalogue.ts';
export { documentedCodes } from './documented-codes.ts';
