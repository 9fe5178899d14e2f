/**
 * Lets a page of a product export the component of another module: `export { default } from 'greenroom/app/routes/login'`. The
 * router gives data to components that the module itself declares, so this declares them.
 */
import type { Plugin } from 'vite';
import {
  applyEdits,
  type Edit,
  exportSpecifiers,
  isNode,
  keepExports,
  type Name,
  type Parse,
  type Specifier,
  statementsOf,
  textOf,
} from './module-edits.ts';
import { routeIdOf } from './product-folder.ts';

/** Exports of a route module that the router renders. */
const COMPONENTS: ReadonlySet<string> = new Set(['default', 'ErrorBoundary', 'HydrateFallback']);

/** Plugin for builds and development. It reads JavaScript, and runs before the router. */
export function reexportedComponents(): Plugin {
  return {
    name: 'reexported-components',
    transform(code, id) {
      if (routeIdOf(id.replaceAll('\\', '/')) === undefined) return null;
      return { code: declareComponents(code, (text) => this.parse(text)), map: null };
    },
  };
}

/** Returns the module with declarations in place of `export { … }` of components. */
export function declareComponents(code: string, parse: Parse): string {
  const edits: Edit[] = [];
  const lines: string[] = [];
  for (const node of statementsOf(code, parse)) {
    const all = exportSpecifiers(node);
    const moved = all.filter(
      ({ exported }) => COMPONENTS.has(textOf(exported)) && (isNode(node.source) || isDefault(exported)),
    );
    if (moved.length === 0) continue;
    const rest = all.filter((each) => !moved.includes(each));
    edits.push(keepExports(node, rest, code));
    lines.push(...moved.flatMap((each) => declarationOf(each, node.source, code)));
  }
  return edits.length === 0 ? code : `${applyEdits(code, edits)}\n${lines.join('\n')}\n`;
}

function isDefault(name: Name | undefined): boolean {
  return textOf(name) === 'default';
}

function declarationOf({ local, exported }: Specifier, source: unknown, code: string): string[] {
  if (!isNode(source)) return [`export default ${textOf(local)};`];
  const imported = `Reexported${textOf(exported)}`;
  return [
    `import { ${textOf(local)} as ${imported} } from ${code.slice(source.start, source.end)};`,
    isDefault(exported) ? `export default ${imported};` : `export const ${textOf(exported)} = ${imported};`,
  ];
}
