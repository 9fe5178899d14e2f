/**
 * Leaves modules without a used export out of the pages. Pages of a product import from one module that exports all components;
 * each would otherwise contain every component whose module calls a function, such as `createContext()`.
 */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const APP = resolve(import.meta.dirname, '..').replaceAll('\\', '/');
/** Modules that only define. Others are also imported so that they load early, and must stay. */
const DEFINITION = /^(?:lib\/(?!payload\/)|product\/|session\/|texts\/|ui\/(?!icons\/)).*\.tsx?$/;

/** Plugin for builds. */
export function dropUnusedModules(): Plugin {
  return {
    name: 'drop-unused-modules',
    apply: 'build',
    transform: (_code, id) => (isDefinition(id.replaceAll('\\', '/')) ? { moduleSideEffects: false } : null),
  };
}

/** Returns whether a module of the app has no effect when it is imported. @param id absolute path, with slashes */
export function isDefinition(id: string): boolean {
  return id.startsWith(`${APP}/`) && DEFINITION.test(id.slice(APP.length + 1));
}
