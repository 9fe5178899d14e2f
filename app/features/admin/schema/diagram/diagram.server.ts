/** The diagram of a schema on the server. */
import { data } from 'react-router';
import { type MetaClient, MetaError } from '../../../../session/meta-client.server.ts';
import type { VisitorArgs } from '../../../../shell/request/visitor.server.ts';
import { asAdmin, type RefusedView } from '../../shared/as-admin.server.ts';
import { readStructureSelection } from '../selection.ts';
import { type DiagramTable, diagramQuery, MAX_DIAGRAM_TABLES } from './diagram-tables.ts';

/** The data of the page. */
export type DiagramView =
  | RefusedView
  | { kind: 'hosted' }
  | { kind: 'unavailable' }
  | {
      kind: 'diagram';
      schema: string;
      /** Name of the selected table; '' without one. */
      table: string;
      schemas: readonly string[];
      tables: readonly DiagramTable[];
      /** Whether the schema has more tables. */
      isTruncated: boolean;
    };

/** Loads the tables of the schema in the URL. */
export function loadDiagram(args: VisitorArgs & { url: URL }) {
  const { schema, table } = readStructureSelection(args.url.searchParams);
  return asAdmin(args, async ({ meta }) => {
    if (meta === undefined) return view({ kind: 'hosted' });
    try {
      return view(await readDiagram(meta, schema, table));
    } catch (error) {
      if (error instanceof MetaError) return view({ kind: 'unavailable' }, 503);
      throw error;
    }
  });
}

async function readDiagram(meta: MetaClient, schema: string, table: string): Promise<DiagramView> {
  const { sql, parameters } = diagramQuery(schema);
  const [tables, schemas] = await Promise.all([
    meta.rows<DiagramTable>(sql, parameters),
    meta.list<{ name: string }>('schemas', { limit: '1000' }),
  ]);
  return {
    kind: 'diagram',
    schema,
    table,
    schemas: schemas.map(({ name }) => name),
    tables: tables.slice(0, MAX_DIAGRAM_TABLES),
    isTruncated: tables.length > MAX_DIAGRAM_TABLES,
  };
}

function view(value: DiagramView, status = 200) {
  return data(value, { status });
}
