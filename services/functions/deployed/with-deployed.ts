/** The functions and secrets that an instance serves: those of its project, and those that were deployed. */
import type { FunctionsProject } from '../runtime/open-functions.ts';
import { concerns, overridden, type ServeOverrides } from '../serve/overrides.ts';
import type { Deployed } from './open-deployed.ts';

/** Which of two functions with the same name is served. */
interface Precedence {
  /** Whether the folder of the project has priority: its author edits it. */
  prefersProject: boolean;
  /** Changes that apply to functions of the project now, which have priority then. */
  overrides(): ServeOverrides | undefined;
}

/**
 * Returns the project with deployed functions. Secrets that were set have priority over those of the project's files, because
 * they belong to this instance.
 */
export function withDeployed(
  project: FunctionsProject,
  deployed: Pick<Deployed, 'list' | 'currentSecrets'>,
  { prefersProject, overrides }: Precedence,
): FunctionsProject {
  return {
    ...project,
    async list() {
      const [own, others] = await Promise.all([project.list(), deployed.list()]);
      const active = overrides();
      const served = active === undefined ? [] : own.filter((source) => concerns(active, source));
      const inOrder = [
        ...(prefersProject ? [...others, ...own] : [...own, ...others]),
        ...served.map((source) => (active === undefined ? source : overridden(source, active))),
      ];
      return [...new Map(inOrder.map((found) => [found.name, found])).values()];
    },
    async secrets() {
      const [own, others] = await Promise.all([project.secrets(), deployed.currentSecrets()]);
      return new Map([...own, ...others]);
    },
  };
}
