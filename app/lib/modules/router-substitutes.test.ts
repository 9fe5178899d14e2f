import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import * as instrumentation from './no-instrumentation.ts';
import * as discovery from './no-route-discovery.ts';

const ROUTER = new URL('dist/production/', import.meta.resolve('react-router/package.json'));

/** Returns the names that a module of the router imports from another one. */
async function importsOf(importer: string, module: string): Promise<string[]> {
  const text = await readFile(fileURLToPath(new URL(importer, ROUTER)), 'utf8');
  const names = new RegExp(`import \\{([^}]*)\\} from "[^"]*/${module}\\.js"`).exec(text)?.[1] ?? '';
  return names.split(',').map((name) => name.trim());
}

it('replaces exactly the functions of instrumentation that the router uses', async () => {
  const used = await importsOf('lib/router/router.js', 'instrumentation');
  expect(Object.keys(instrumentation).sort()).toEqual(used.sort());
});

it('replaces exactly the functions of route discovery that the router uses', async () => {
  const used = [
    ...(await importsOf('index.js', 'fog-of-war')),
    ...(await importsOf('lib/dom/ssr/components.js', 'fog-of-war')),
  ];
  expect(Object.keys(discovery).sort()).toEqual(used.sort());
});

it('behaves like a router without instrumentation and discovery', () => {
  const router = {};
  expect(instrumentation.consumeInstrumentationClientResultMetaReceiver()).toBeUndefined();
  expect(instrumentation.getRouteInstrumentationUpdates()).toEqual({});
  expect(instrumentation.instrumentClientSideRouter(router)).toBe(router);
  expect(discovery.isFogOfWarEnabled()).toBe(false);
  expect(discovery.getPartialManifest(router)).toBe(router);
  expect(discovery.getPatchRoutesOnNavigationFunction()).toBeUndefined();
  expect(discovery.useFogOFWarDiscovery()).toBeUndefined();
});
