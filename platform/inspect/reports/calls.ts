import type { Report } from '../report.ts';
import { requireStatements } from '../statement-view.ts';
import { MAX_STATEMENTS, statementColumns, statementsFrom } from './statement-columns.ts';

/** The statements that ran most often. */
export const calls: Report = {
  name: 'calls',
  columns: [
    { name: 'query', heading: 'Query' },
    { name: 'total_exec_time', heading: 'Total execution time' },
    { name: 'prop_exec_time', heading: 'Proportion of total execution time' },
    { name: 'ncalls', heading: 'Number of calls' },
    { name: 'sync_io_time', heading: 'Sync I/O time' },
  ],
  query({ statements }) {
    const view = requireStatements(statements);
    return `
select s.query, ${statementColumns(view)}
${statementsFrom(view)}
order by s.calls desc, s.query
limit ${MAX_STATEMENTS}`;
  },
};
