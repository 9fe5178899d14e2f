/** Reduces the output of the bundler to the lines that help the author of a product. */
import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Mistakes that plugins find have this form: file, line, message. */
const PROBLEM = /^(?:Error: )?(app\/[^:\n]+(?::\d+)?: .+)$/m;
/** Progress, and places in packages. */
const NOISE =
  /^(?:Using Vite Environment API|vite v|(?:transforming|rendering chunks|computing gzip size)\.\.\.|✓ |✗ |Build failed with|Error: Route config in|\(!\) outDir|Use --emptyOutDir|\s+at |\s*errors: \[|[{}]\s*$)/;
/** The router adds it to the modules of routes. */
const ROUTE_QUERY = '?__react-router-build-client-route';

/** Folders whose paths messages contain. */
interface Folders {
  /** Folder of the built-in pages, in which the bundler runs. */
  root: string;
  /** Folder `app/` of the product. */
  appFolder: string;
}

/**
 * Returns the message of a mistake that a plugin found; otherwise the lines about errors. Files of the product have the names
 * that they have for their author; an error in the stylesheet of all pages is in the part of the product.
 */
export function describeFailure(output: string, { root, appFolder }: Folders): string {
  const text = stripVTControlCharacters(output);
  const [, problem] = PROBLEM.exec(text) ?? [];
  if (problem !== undefined) return problem;
  const app = realpathSync(appFolder);
  return withoutNoise(text)
    .replaceAll(ROUTE_QUERY, '')
    .replaceAll(join(root, 'app.css'), 'app/styles.css')
    .replaceAll(relative(root, app).replaceAll('\\', '/'), 'app')
    .replaceAll(app, 'app')
    .trim();
}

/** Several empty lines in sequence become one. */
function withoutNoise(text: string): string {
  const lines = text.split('\n').filter((line) => !NOISE.test(line));
  return lines.filter((line, index) => line.trim() !== '' || lines[index - 1]?.trim() !== '').join('\n');
}
