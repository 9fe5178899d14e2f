/** The lexical rules of SQL text: tokens, statements, and the place of an error. */
export { offsetOfPosition } from './excerpt.ts';
export { splitStatements } from './split.ts';
export { queryError } from './sql-file.ts';
export { StatementScan } from './statement-scan.ts';
export { SqlTextError, type Token, tokensOf } from './tokens.ts';
