/** The built-in home page on the server. It reads no table of the project. */
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

/** Returns the data. */
export function loadStart({ context }: Pick<VisitorArgs, 'context'>): StartLoad {
  const { home, location, publicApiUrl } = context.get(siteContext).options;
  const own = context.get(visitContext).origin + withBase('/', location.baseURL).replace(/\/$/, '');
  return { ...home, apiUrl: publicApiUrl ?? own };
}
