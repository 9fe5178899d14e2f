/** The functions of an instance: those of its project's folder, and those that were deployed. */
import type { ProjectFunction } from '@greenroom/project';
import type { DeployedFunction } from '../deployed/version-store.ts';

/** The functions that this node serves. */
export interface ServedFunctions {
  /** Absolute path of the folder of the project; undefined without one. */
  projectFolder: string | undefined;
  /** Address at which the inspector of a function listens. */
  inspectorAddress: string;
  /** Lists the functions of the project's folder. */
  ofProject(): Promise<readonly ProjectFunction[]>;
  /** Whether the folder has priority over deployed functions of the same names. */
  prefersProject: boolean;
}

/** A function in the list. */
interface ListedFunction {
  name: string;
  source: 'project' | 'deployed';
  /** False if a function of the same name and of the other source is served instead. */
  active: boolean;
  verify_jwt: boolean;
  /** Null for functions of the project's folder. */
  version: number | null;
  updated_at: Date | null;
}

/** Lists all functions by name. */
export async function listFunctions(
  { ofProject, prefersProject }: ServedFunctions,
  deployed: readonly DeployedFunction[],
): Promise<ListedFunction[]> {
  const project = await ofProject();
  const isIn = (list: readonly { name: string }[], name: string) => list.some((other) => other.name === name);
  const all: ListedFunction[] = [
    ...project.map(({ name, verifiesJwt }) => ({
      name,
      source: 'project' as const,
      active: prefersProject || !isIn(deployed, name),
      verify_jwt: verifiesJwt,
      version: null,
      updated_at: null,
    })),
    ...deployed.map(({ name, version, verify_jwt, updated_at }) => ({
      name,
      source: 'deployed' as const,
      active: !prefersProject || !isIn(project, name),
      verify_jwt,
      version,
      updated_at,
    })),
  ];
  return all.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}
