/** Places of the tables in the drawing. */
import { Graph, layout } from '@dagrejs/dagre';
import type { DiagramTable } from './diagram-tables.ts';

/** Width of a table, in px. */
export const TABLE_WIDTH = 240;
/** Height of the head of a table, and of each column, in px. */
export const HEAD_HEIGHT = 36;
export const COLUMN_HEIGHT = 24;
/** Columns that a table shows. */
export const MAX_SHOWN_COLUMNS = 12;
const GAP = 48;
const LAYER_GAP = 96;
const TABLES_PER_ROW = 5;

/** The upper left corner of a table. */
interface Place {
  x: number;
  y: number;
}

/** Returns the height of a table, in px. */
export function heightOf({ columns }: Pick<DiagramTable, 'columns'>): number {
  const lines = Math.min(columns.length, MAX_SHOWN_COLUMNS) + (columns.length > MAX_SHOWN_COLUMNS ? 1 : 0);
  return HEAD_HEIGHT + lines * COLUMN_HEIGHT + 8;
}

/** Arranges tables: those with foreign keys in layers from left to right, the others in rows below. */
export function placeTables(tables: readonly DiagramTable[]): ReadonlyMap<string, Place> {
  const names = new Set(tables.map(({ name }) => name));
  const linked = new Set(
    tables.flatMap(({ name, links }) =>
      links.flatMap(({ target }) => (names.has(target) && target !== name ? [name, target] : [])),
    ),
  );
  const layers = placeInLayers(
    tables.filter(({ name }) => linked.has(name)),
    linked,
  );
  const rest = tables.filter(({ name }) => !linked.has(name));
  return new Map([...layers.places, ...placeInRows(rest, layers.height)]);
}

function placeInLayers(tables: readonly DiagramTable[], linked: ReadonlySet<string>) {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: GAP, ranksep: LAYER_GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const table of tables) graph.setNode(table.name, { width: TABLE_WIDTH, height: heightOf(table) });
  for (const { name, links } of tables)
    for (const { target } of links) if (linked.has(target) && target !== name) graph.setEdge(name, target);
  if (tables.length > 0) layout(graph);
  let height = 0;
  const places = tables.map(({ name }): [string, Place] => {
    const node = graph.node(name) as { x: number; y: number; width: number; height: number };
    height = Math.max(height, node.y + node.height / 2 + GAP);
    return [name, { x: node.x - node.width / 2, y: node.y - node.height / 2 }];
  });
  return { places, height };
}

function placeInRows(tables: readonly DiagramTable[], top: number): [string, Place][] {
  const places: [string, Place][] = [];
  let y = top;
  for (let first = 0; first < tables.length; first += TABLES_PER_ROW) {
    const row = tables.slice(first, first + TABLES_PER_ROW);
    for (const [index, { name }] of row.entries()) places.push([name, { x: index * (TABLE_WIDTH + GAP), y }]);
    y += Math.max(...row.map(heightOf)) + GAP;
  }
  return places;
}
