/**
 * Makes a bundle for Node.js ASCII: V8 keeps the source of each loaded file, and with any other character it needs two
 * bytes for every character of the file.
 */

/** UTF-16 units outside of ASCII. Their escapes are valid in texts, expressions and names. */
const OTHER_UNITS = /[^\0-\x7f]/g;

/** A plugin of rolldown and Vite. */
interface AsciiPlugin {
  name: string;
  generateBundle(options: unknown, bundle: Record<string, { type: 'asset' } | Chunk>): void;
  applyToEnvironment(environment: { name: string }): boolean;
}

interface Chunk {
  type: 'chunk';
  code: string;
}

/** Returns the plugin. In a build of Vite, it applies to the code for the server only. */
export function asciiOutput(): AsciiPlugin {
  return {
    name: 'ascii-output',
    // After the bundler has printed the code; it would print the characters themselves.
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') output.code = output.code.replaceAll(OTHER_UNITS, escapeOf);
      }
    },
    applyToEnvironment: ({ name }) => name === 'ssr',
  };
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
