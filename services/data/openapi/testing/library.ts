/** The library of the studio database, and its description for a role. */
import { wholeBody } from '../../execute/outcome.ts';
import type { SchemaCacheSettings } from '../../schema-cache/load.ts';
import { Studio } from '../../testing/studio/studio.ts';
import { type Accessible, accessibleStatement, readAccessible } from '../accessible.ts';
import { type DescribeOptions, describeApi } from '../document.ts';
import type { ApiDescription } from '../swagger.ts';

/** How a test describes. */
interface LibraryOptions extends Partial<DescribeOptions> {
  role?: string;
  mode?: 'follow-privileges' | 'ignore-privileges';
  searchPath?: readonly string[];
}

/** The schemas of tests that describe the library. */
export const LIBRARY: SchemaCacheSettings = {
  schemas: ['library', 'annex', 'backstage'],
  extraSearchPath: [],
};

/** The studio database, whose schema `library` is described. */
export class Library extends Studio {
  /** The body of the statement. */
  async runAccessible(options: LibraryOptions = {}): Promise<Buffer> {
    const { role = 'anon', schema = 'library', mode = 'follow-privileges' } = options;
    const outcome = await this.run({
      role,
      searchPath: options.searchPath ?? [schema, 'public'],
      main: accessibleStatement(schema, mode),
      isReadOnly: true,
    });
    return wholeBody(outcome);
  }

  /** Returns the parts of the schema that a role may use. */
  async accessible(options: LibraryOptions = {}): Promise<Accessible> {
    return readAccessible(await this.runAccessible(options));
  }

  /** The document, as a role gets it. */
  async describe(options: LibraryOptions = {}): Promise<ApiDescription> {
    return describeApi(this.cache, {
      schema: 'library',
      accessible: options.accessible ?? (await this.accessible(options)),
      url: 'http://127.0.0.1:54321/rest/v1',
      version: '1.2.3',
      isSecurityActive: false,
      ...options,
    });
  }
}
