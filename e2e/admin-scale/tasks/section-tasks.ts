/** The main task of each section, and the check of its page by axe in the state after the task. */
import { expectNoViolations } from '../../support/axe.ts';
import type { Desk, SectionTask } from '../desk.ts';
import type { Report } from '../report.ts';
import { findRequest } from './logs.ts';
import { openMessage } from './mailbox.ts';
import { readHealth } from './overview.ts';
import { tryAsUser } from './policies.ts';
import { changeSetting } from './settings.ts';
import { runQuery } from './sql.ts';
import { changeRows } from './tables.ts';
import { changeUser } from './users.ts';

const SECTION_TASKS: readonly SectionTask[] = [
  readHealth,
  changeUser,
  changeRows,
  tryAsUser,
  runQuery,
  openMessage,
  findRequest,
  changeSetting,
];

const WIDTHS = [1280, 390];
const HEIGHT = 800;

/** Performs all tasks one after the other. A page is not checked if its task failed. */
export async function performSectionTasks(desk: Desk, report: Report): Promise<void> {
  const { page } = desk;
  for (const { section, perform } of SECTION_TASKS) {
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    const isDone = await report.check('task', section, () => perform(desk));
    if (!isDone) continue;
    for (const width of WIDTHS)
      await report.check('page', `${section}, ${width} px`, () => expectNoViolations(page, section, [width]));
  }
}
