/** The route of the command palette: finds users, tables and settings by name. */
import type { Language } from '../../../lib/language.ts';
import { MetaError } from '../../../session/meta-client.server.ts';
import { OperatorError } from '../../../session/operator-client.server.ts';
import { chosenName } from '../../../session/person-name.ts';
import { type Hit, type Hits, parseHitQuery, QUERY_PARAMETER } from '../../../shell/palette/hits/hits.ts';
import { languageContext } from '../../../shell/request/contexts.server.ts';
import type { VisitorArgs } from '../../../shell/request/visitor.server.ts';
import { adminTablesTexts } from '../../../texts/admin-tables.ts';
import { findSettings } from '../settings/find-settings.ts';
import type { Setting } from '../settings/setting.ts';
import { type Admin, asAdminResource, resourceJson } from '../shared/as-admin.server.ts';
import { type FoundRelation, relationSql } from '../tables/find-sql.ts';
import { tablesPath } from '../tables/table-address.ts';
import { findUsers } from '../users/find-users.server.ts';
import { listPath, userPath } from '../users/list-query.ts';

const MAX_PEOPLE = 5;
const MAX_TABLES = 8;
const MAX_SETTINGS = 8;
const NO_HITS: Hits = { people: [], tables: [], settings: [], allUsers: null };

/**
 * Responds with the hits of the text `q`. A hosted backend has no tables and settings. Visitors without access get the status 403, and
 * 503 means that a part of the instance does not respond.
 */
export async function findHits(args: VisitorArgs & { url: URL }): Promise<Response> {
  const query = parseHitQuery(args.url.searchParams.get(QUERY_PARAMETER) ?? '');
  const language = args.context.get(languageContext);
  return asAdminResource(args, async (admin) => {
    try {
      return resourceJson(query === undefined ? NO_HITS : await loadHits(admin, query, language));
    } catch (error) {
      if (error instanceof MetaError || error instanceof OperatorError)
        return resourceJson({ code: error.code, message: error.message }, 503);
      throw error;
    }
  });
}

async function loadHits(admin: Admin, query: string, language: Language): Promise<Hits> {
  const [people, tables, settings] = await Promise.all([
    findPeople(admin, query),
    findTables(admin, query, language),
    loadSettings(admin, query, language),
  ]);
  const hasHits = people.people.length + tables.length + settings.length > 0;
  // The list finds parts of addresses and numbers, too.
  const allUsers = hasHits || admin.meta === undefined ? people.allUsers : listPath({ q: query });
  return { ...people, tables, settings, allUsers };
}

async function findPeople(admin: Admin, query: string): Promise<Pick<Hits, 'people' | 'allUsers'>> {
  const { users, isPart } = await findUsers(admin, query, MAX_PEOPLE);
  const people = users.map(({ id, email, phone, name }): Hit => {
    const [label = id, detail = ''] = [chosenName({ full_name: name }), email, phone].filter(Boolean);
    return { to: userPath(id), label, detail, words: [email, phone, id].filter(Boolean) };
  });
  return { people, allUsers: isPart ? listPath({ q: query }) : null };
}

async function findTables({ meta }: Admin, query: string, language: Language): Promise<Hit[]> {
  if (meta === undefined) return [];
  const { text, values } = relationSql(query, MAX_TABLES);
  const relations = await meta.rows<FoundRelation>(text, values);
  const { kinds } = adminTablesTexts[language].list;
  return relations.map(({ schema, name, kind }) => ({
    to: tablesPath({ schema, table: name }),
    label: `${schema}.${name}`,
    detail: kinds[kind],
    words: [],
  }));
}

async function loadSettings({ operator }: Admin, query: string, language: Language): Promise<Hit[]> {
  if (operator === undefined) return [];
  const { settings } = await operator.get<{ settings: Setting[] }>('/settings');
  return findSettings(settings, query, { language, limit: MAX_SETTINGS }).map(({ section, ...found }) => ({
    ...found,
    detail: section,
  }));
}
