/** The inspector of a function. */
import { freePort } from '@greenroom/testing';
import { expect, it } from 'vitest';
import { FunctionsServer } from './testing/functions-server.ts';

it('the named function has an inspector on the port, and others have none', async () => {
  const port = await freePort();
  await using server = await FunctionsServer.open({
    files: {
      'inspected/index.ts': 'Deno.serve(() => new Response("inspected"));',
      'other/index.ts': 'Deno.serve(() => new Response("other"));',
    },
    settings: {
      GREENROOM_FUNCTIONS_INSPECT: 'inspected',
      GREENROOM_FUNCTIONS_INSPECTOR_PORT: String(port),
    },
  });
  const list = async () => (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
  expect(await (await server.call('other')).text()).toBe('other');
  await expect(list()).rejects.toThrow();
  expect(await (await server.call('inspected')).text()).toBe('inspected');
  expect(await list()).toEqual([
    expect.objectContaining({ webSocketDebuggerUrl: expect.stringMatching(/^ws:/) }),
  ]);
});
