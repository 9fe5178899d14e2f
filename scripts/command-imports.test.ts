/** What commands load: each runs in a new process, so that code that it does not need makes each run slower. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importGraph, LOADED, reachedFrom } from './import-graph.ts';

const ROOT = join(import.meta.dirname, '..');
const HTTP_SERVER = 'platform/http/server.ts';
/** The command that answers HTTP requests in any case. */
const SERVING = 'cli/commands/dev.command.ts';

const graph = importGraph(ROOT, ['app', 'cli', 'platform', 'server', 'services'], new Map(), LOADED);
const commands = globSync('cli/commands/**/*.command.ts', { cwd: ROOT });

/** Returns the modules of this repository that a command loads when it runs. */
function loadedBy(command: string): string[] {
  const text = readFileSync(join(ROOT, command), 'utf8');
  return [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)]
    .map(([, path = '']) => join(dirname(command), path))
    .flatMap((file) => [...reachedFrom(graph, file)]);
}

describe('commands', () => {
  it('are all found, and the one that serves loads the HTTP server', () => {
    expect(commands.length).toBeGreaterThan(40);
    expect(loadedBy(SERVING)).toContain(HTTP_SERVER);
  });

  it.each(commands.filter((command) => command !== SERVING))('%s loads no HTTP server', (command) => {
    expect(loadedBy(command)).not.toContain(HTTP_SERVER);
  });
});
