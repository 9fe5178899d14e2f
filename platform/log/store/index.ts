/** The log that an instance keeps in its own files: segments in a folder, searched from the newest line. */
export type { LogFilter } from './filter.ts';
export { createLineMatcher } from './filter.ts';
export { createLogStore, type LogStore } from './log-store.ts';
export type { FoundLine, Position } from './search.ts';
