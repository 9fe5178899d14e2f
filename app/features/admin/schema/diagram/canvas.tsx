/** The drawing of the tables. Loaded in the browser only, with its libraries. */
import '@xyflow/react/dist/base.css';
import {
  Background,
  type Edge,
  Handle,
  MiniMap,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
} from '@xyflow/react';
import { memo, useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import { adminDiagramTexts } from '../../../../texts/admin-diagram.ts';
import { useTexts } from '../../../../texts/use-texts.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { structurePath } from '../selection.ts';
import type { DiagramTable } from './diagram-tables.ts';
import {
  COLUMN_HEIGHT,
  HEAD_HEIGHT,
  heightOf,
  MAX_SHOWN_COLUMNS,
  placeTables,
  TABLE_WIDTH,
} from './layout.ts';

interface CanvasProps {
  schema: string;
  tables: readonly DiagramTable[];
  /** Names of the tables that the search has found. */
  found: ReadonlySet<string>;
  /** The table to show first; '' shows all. */
  selected: string;
}

type TableNode = Node<{ table: DiagramTable; path: string; isFound: boolean; isSelected: boolean }, 'table'>;

const NODE_TYPES = { table: memo(TableBox) };
const FIT = { padding: 0.15, duration: 200, maxZoom: 1 };
const MIN_ZOOM = 0.05;
/** Below this zoom, columns are too small to read. */
const COLUMNS_ZOOM = 0.65;
/** Size in px at which names of tables appear below that zoom, and their largest size in the drawing. */
const NAME_SIZE = 12;
const MAX_NAME_SIZE = 60;
/** A map of fewer tables would only cover them. */
const MIN_MAPPED_TABLES = 12;

/** A drawing that can be moved and zoomed; tables are links. */
export default function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function Drawing({ schema, tables, found, selected }: CanvasProps) {
  const places = useMemo(() => placeTables(tables), [tables]);
  const edges = useMemo(() => edgesOf(tables), [tables]);
  const { fitView } = useReactFlow();
  const nodes = tables.map(
    (table): TableNode => ({
      id: table.name,
      type: 'table',
      position: places.get(table.name) ?? { x: 0, y: 0 },
      width: TABLE_WIDTH,
      height: heightOf(table),
      data: {
        table,
        path: structurePath({ schema, table: table.name }),
        isFound: found.has(table.name),
        isSelected: table.name === selected,
      },
    }),
  );
  // The tables that are found come into view; a search without result changes nothing.
  const shown = selected !== '' && found.size === tables.length ? [selected] : [...found];
  const shownKey = shown.join('\n');
  useEffect(() => {
    const ids = shownKey.split('\n').map((id) => ({ id }));
    if (shownKey !== '') void fitView({ ...FIT, nodes: ids });
  }, [shownKey, fitView]);
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      fitView
      fitViewOptions={FIT}
      minZoom={MIN_ZOOM}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      onlyRenderVisibleElements
      proOptions={{ hideAttribution: true }}
      colorMode="dark"
      className="[--xy-background-color:transparent]! [--xy-minimap-background-color:transparent]!"
    >
      <Background />
      {tables.length >= MIN_MAPPED_TABLES && (
        <MiniMap ariaLabel={null} pannable zoomable className="max-sm:hidden!" />
      )}
      <Panel position="top-right">
        <Zoom />
      </Panel>
    </ReactFlow>
  );
}

function Zoom() {
  const diagram = useTexts(adminDiagramTexts);
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <div className="flex gap-1 rounded-control border border-line bg-raised p-1">
      <IconButton icon="lucide:zoom-in" label={diagram.zoomIn} onClick={() => void zoomIn()} />
      <IconButton icon="lucide:zoom-out" label={diagram.zoomOut} onClick={() => void zoomOut()} />
      <IconButton icon="lucide:maximize" label={diagram.fit} onClick={() => void fitView(FIT)} />
    </div>
  );
}

function TableBox({ data: { table, path, isFound, isSelected } }: NodeProps<TableNode>) {
  const diagram = useTexts(adminDiagramTexts);
  const nameSize = useStore(({ transform: [, , zoom] }) => nameSizeAt(zoom));
  const shown = nameSize ? [] : table.columns.slice(0, MAX_SHOWN_COLUMNS);
  const hidden = nameSize ? 0 : table.columns.length - shown.length;
  const linked = new Set(table.links.flatMap(({ columns }) => columns));
  return (
    <div
      style={{ width: TABLE_WIDTH, height: heightOf(table) }}
      // The library disables the pointer on boxes that cannot be moved.
      className={`pointer-events-auto relative overflow-hidden rounded-control border text-small ${
        isSelected ? 'border-primary' : 'border-line-strong'
      } ${isFound ? 'bg-surface' : 'border-dashed text-ink-muted'}`}
    >
      <Handle type="source" position={Position.Right} className="opacity-0!" isConnectable={false} />
      <Handle type="target" position={Position.Left} className="opacity-0!" isConnectable={false} />
      <Link
        to={path}
        aria-label={diagram.open(table.name)}
        draggable={false}
        style={nameSize ? { height: '100%', fontSize: nameSize } : { height: HEAD_HEIGHT }}
        className={`flex items-center px-3 font-medium -outline-offset-2! after:absolute after:inset-0 hover:bg-hover
          ${isFound ? 'bg-sunken' : ''} ${nameSize ? 'leading-tight' : 'border-b border-line'}`}
      >
        <span className={nameSize ? 'max-h-full [overflow-wrap:anywhere]' : 'truncate'}>{table.name}</span>
      </Link>
      {shown.map(({ name, type, is_key: isKey }) => (
        <p
          key={name}
          style={{ height: COLUMN_HEIGHT }}
          className="flex items-center justify-between gap-2 px-3"
        >
          <span
            className={`max-w-4/5 shrink-0 truncate ${isKey ? `font-semibold ${isFound ? 'text-primary-ink' : ''}` : ''} ${linked.has(name) ? 'underline' : ''}`}
          >
            {name}
          </span>
          <span className="truncate font-mono text-caption text-ink-muted">{type}</span>
        </p>
      ))}
      {hidden > 0 && (
        <p style={{ height: COLUMN_HEIGHT }} className="px-3 text-ink-muted">
          {diagram.more(hidden)}
        </p>
      )}
    </div>
  );
}

/** Returns the size of names in the drawing, in px, if only they are readable at this zoom; undefined if columns are. */
function nameSizeAt(zoom: number): number | undefined {
  return zoom < COLUMNS_ZOOM ? Math.min(MAX_NAME_SIZE, Math.round(NAME_SIZE / zoom)) : undefined;
}

function edgesOf(tables: readonly DiagramTable[]): Edge[] {
  const names = new Set(tables.map(({ name }) => name));
  return tables.flatMap(({ name: source, links }) =>
    links
      .filter(({ target }) => names.has(target))
      .map(({ name, target }) => ({ id: `${source} ${name}`, source, target })),
  );
}
