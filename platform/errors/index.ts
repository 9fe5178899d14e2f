/**
 * Errors as a closed catalogue: each service declares its codes once, throws only from there, and turns them
 * into its own documented shape in one handler. In charge of the catalogue type; not of any wire format.
 */
export { type CatalogueEntry, CatalogueError, defineErrors } from './catalogue.ts';
export { documentedCodes } from './documented-codes.ts';
