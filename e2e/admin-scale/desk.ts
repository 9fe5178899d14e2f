/** The place of the administrator who performs the tasks: a page of the instance, and its data from outside. */
import type { Page } from '@playwright/test';
import { paletteButton } from '../support/axe.ts';
import { withDatabase } from '../support/database.ts';
import type { ProjectSite } from '../support/project-site.ts';
import type { SessionApi } from '../support/sessions.ts';
import { expect } from './patient-expect.ts';

/** What a task uses. */
export interface Desk {
  page: Page;
  site: ProjectSite;
  api: SessionApi;
}

/** The main task of a section. It ends on the page of the section, which axe checks then. */
export interface SectionTask {
  section: string;
  perform(desk: Desk): Promise<void>;
}

/** Opens a page, and waits until its scripts run. */
export async function open({ page, site }: Desk, path: string): Promise<void> {
  await page.goto(site.url + path);
  await expect(paletteButton(page)).toBeVisible();
}

/** Returns the rows of a statement as superuser. */
export function query<Row extends object>(
  { site }: Desk,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return withDatabase(site.folder, (database) => database.query<Row>({ text, values }));
}
