/** `greenroom functions rollback` and `delete`. */
import type { ProjectOptions } from '../settings.ts';
import type { InstanceChoice } from './instance-options.ts';
import { pathOf } from './list.ts';
import { openManagementApi } from './management-api.ts';

/** Serves another version of a function. Returns a line for the user. */
export async function rollBackFunction(
  name: string,
  { to, instance }: { to: number | undefined; instance: InstanceChoice },
  project: ProjectOptions,
): Promise<string> {
  const api = await openManagementApi(instance, project);
  const path = `functions/${pathOf(name)}/rollback`;
  const { version } = await api.json<{ version: number }>({ method: 'POST', path, json: { to } });
  return `${name} serves version ${version}`;
}

/** Removes a deployed function with its versions. Returns a line for the user. */
export async function deleteFunction(
  name: string,
  instance: InstanceChoice,
  project: ProjectOptions,
): Promise<string> {
  const api = await openManagementApi(instance, project);
  await api.call({ method: 'DELETE', path: `functions/${pathOf(name)}` });
  return `deleted ${name}`;
}
