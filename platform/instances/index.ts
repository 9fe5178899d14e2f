/** The registry of the running instances of a user on this machine. */
export type { InstanceEntry } from './instance-entry.ts';
export { openRegistry, type Registration, type Registry } from './registry.ts';
export { stateFolder } from './state-folder.ts';
