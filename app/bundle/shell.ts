/** What every page loads becomes one file: it compresses better than many, and needs one request instead of twenty. */
import type { Plugin } from 'vite';

/** Modules with which every page begins. */
const ENTRIES = /[\\/]app[\\/](?:entry\.client|root)\.tsx(?:\?|$)/;
/** Parts that most pages are made of, the sign-in page among them. Each is so small that a file of its own costs more. */
const PARTS = /[\\/]app[\\/]ui[\\/](?:alert|button|field|page-meta|text-link)\.tsx?$/;

/** See the head of this file. */
interface Shell {
  /** Finds out which modules belong to it. */
  plugin: Plugin;
  /** Tells whether a module does; for the bundler's splitting, which comes later. */
  has(id: string): boolean;
}

/** Makes the shell of one build. Packages have files of their own. */
export function findShell(): Shell {
  const modules = new Set<string>();
  return {
    has: (id) => modules.has(id),
    plugin: {
      name: 'shell',
      apply: 'build',
      buildEnd() {
        const visit = (id: string) => {
          if (modules.has(id) || id.includes('node_modules')) return;
          modules.add(id);
          // Only what is loaded at once: what is imported later stays apart.
          this.getModuleInfo(id)?.importedIds.forEach(visit);
        };
        [...this.getModuleIds()].filter((id) => ENTRIES.test(id) || PARTS.test(id)).forEach(visit);
      },
    },
  };
}
