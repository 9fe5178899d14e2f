/** The start page of a project without pages, on the server. It reads no table of the project. */
import { withBase } from '../../lib/page/base-path.ts';
import { siteContext, visitContext } from '../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../shell/request/visitor.server.ts';

/** Data of the page. None of it is secret. */
export interface StartLoad {
  projectName: string;
  /** URL for official clients. */
  apiUrl: string;
  publishableKey: string;
  /** Names of the services that run. */
  services: readonly string[];
}

/** Returns the data; undefined if the site has another home page. */
export function loadStart({ context }: Pick<VisitorArgs, 'context'>): StartLoad | undefined {
  const { home, location, publicApiUrl } = context.get(siteContext).options;
  if (home.kind !== 'start') return undefined;
  const own = context.get(visitContext).origin + withBase('/', location.baseURL).replace(/\/$/, '');
  return {
    projectName: home.projectName,
    apiUrl: publicApiUrl ?? own,
    publishableKey: home.publishableKey,
    services: home.services,
  };
}
