/**
 * Bundles the modules that every page loads into one file: it compresses better than many, and needs one
 * request instead of twenty.
 */
import { resolve } from 'node:path';
import type { Plugin } from 'vite';

/** Modules that every page loads first. */
const ENTRIES = /[\\/]app[\\/](?:entry\.client|root)\.tsx(?:\?|$)/;
/** Modules of most pages, including the sign-in page. Each is so small that a separate file costs more. */
const PARTS =
  /[\\/]app[\\/](?:ui[\\/](?:alert|button|field|page-meta|text-link)|lib[\\/](?:unsent-edits|use-is-hydrated)|texts[\\/]ui)\.tsx?$/;

/** Folder of the app, which may be part of an installed package. */
const APP = resolve(import.meta.dirname, '..').replaceAll('\\', '/');

function isOfPackage(id: string): boolean {
  return id.includes('/node_modules/') && !id.replaceAll('\\', '/').startsWith(`${APP}/`);
}

/** The modules of the common file. */
interface Shell {
  /** Collects the modules. */
  plugin: Plugin;
  /**
   * Returns whether a module belongs to the common file; for the bundler's code splitting, which runs
   * later.
   */
  has(id: string): boolean;
}

/** Creates the shell of one build. Packages are not part of it. */
export function findShell(): Shell {
  const modules = new Set<string>();
  return {
    has: (id) => modules.has(id),
    plugin: {
      name: 'shell',
      apply: 'build',
      buildEnd() {
        const visit = (id: string) => {
          if (modules.has(id) || isOfPackage(id)) return;
          modules.add(id);
          // Follows static imports only; dynamic imports get their own files.
          this.getModuleInfo(id)?.importedIds.forEach(visit);
        };
        [...this.getModuleIds()].filter((id) => ENTRIES.test(id) || PARTS.test(id)).forEach(visit);
      },
    },
  };
}
