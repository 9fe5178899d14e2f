import { defineCommand } from '../../definition.ts';
import { FORMAT_OPTION } from '../../format-option.ts';

/** `greenroom inspect report`. */
export const inspectReport = defineCommand({
  path: ['inspect', 'report'],
  summary: 'Write all reports as CSV files, and check rules on them',
  description: 'The rules are experimental.inspect.rules of supabase/config.toml, or built-in ones.',
  options: {
    output: { ...FORMAT_OPTION, summary: 'Format of the results of the rules' },
    'output-dir': {
      value: 'folder',
      default: '.',
      summary: 'Folder in which a folder with the name of the day is created',
    },
    'db-url': { value: 'url', summary: 'Another database, as postgresql://user:password@host:port/database' },
  },
  examples: [
    { line: 'inspect report', summary: 'Write the files into a folder such as 2026-11-26' },
    { line: 'inspect report --output-dir reports', summary: 'Create that folder in reports' },
  ],
  async run({ options: { output: format, 'output-dir': outputDir, 'db-url': databaseUrl }, project }) {
    const { writeReports } = await import('../../inspect/write-reports.ts');
    return writeReports({ format, outputDir, databaseUrl }, project);
  },
});
