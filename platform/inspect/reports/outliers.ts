import type { Report } from '../report.ts';
import { requireStatements } from '../statement-view.ts';
import { MAX_STATEMENTS, statementColumns, statementsFrom } from './statement-columns.ts';

/** The statements of all roles that took the most time in total. */
export const outliers: Report = {
  name: 'outliers',
  columns: [
    { name: 'query', heading: 'Query' },
    { name: 'total_exec_time', heading: 'Execution time' },
    { name: 'prop_exec_time', heading: 'Proportion of execution time' },
    { name: 'ncalls', heading: 'Number of calls' },
    { name: 'sync_io_time', heading: 'Sync I/O time' },
  ],
  query({ statements }) {
    const view = requireStatements(statements);
    return `
select ${statementColumns(view)}, s.query
${statementsFrom(view)}
order by s.total_exec_time desc, s.query
limit ${MAX_STATEMENTS}`;
  },
};
