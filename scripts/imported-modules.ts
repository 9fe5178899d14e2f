/** The modules that a source file imports, by its syntax tree, so that imports in texts of tests do not count. */
import { parseSync } from 'vite';

/** The text of a module in an import, with its quotes. */
const QUOTED = /^(['"`])([^$]*)\1$/;

/**
 * Returns the specifiers of imports, exports from other modules, dynamic imports of a fixed module, and types of modules.
 * @param file decides about the syntax by its ending
 * @throws if the file has a syntax error
 */
export function importedModules(file: string, code: string): string[] {
  const { program, module, errors } = parseSync(file, code);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const exported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    return QUOTED.exec(code.slice(start, end))?.[2] ?? [];
  });
  const imported = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  return [...imported, ...exported, ...dynamic, ...typesOfModules(code, program)];
}

/** Returns the modules of types such as `import('pg').Client`. */
function typesOfModules(code: string, program: unknown): string[] {
  if (!/\bimport\(/.test(code)) return [];
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, source } = node as { type?: string; source?: { value?: string } };
    if (type === 'TSImportType' && source?.value !== undefined) found.push(source.value);
    for (const child of Object.values(node)) visit(child);
  };
  visit(program);
  return found;
}
